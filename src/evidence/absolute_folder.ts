import type { Runtime } from "../runtime/port.ts";

/** Makes a folder's path absolute against the current folder, without a slash at its end. */
export function absoluteFolder(runtime: Runtime, folder: string): string {
  const absolute = folder.startsWith("/") || /^[A-Za-z]:[\\/]/.test(folder);
  const whole = absolute ? folder : `${runtime.env.cwd()}/${folder}`;
  const parts = whole.split("/").filter((part) => part !== "" && part !== ".");
  // `..` behind a link leads elsewhere than its text says; such a path is left as it is.
  if (parts.includes("..")) return whole;
  return `${whole.startsWith("/") ? "/" : ""}${parts.join("/")}`;
}
