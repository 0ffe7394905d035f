/** Folders whose programs are taken for the program of that name. */
export const SYSTEM_FOLDERS: readonly string[] = [
  "/bin",
  "/sbin",
  "/usr/bin",
  "/usr/sbin",
  "/usr/local/bin",
  "/usr/local/sbin",
  "/opt/homebrew/bin",
];
