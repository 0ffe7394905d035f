import { type FileErrorCode, FileSystemError } from "./port.ts";

/** The system's code in our words. */
function codeOf(systemCode: unknown): FileErrorCode {
  switch (systemCode) {
    case "ENOENT":
      return "not-found";
    case "EEXIST":
      return "exists";
    case "EACCES":
    case "EPERM":
      return "permission";
    case "ENOTDIR":
      return "not-a-directory";
    case "EISDIR":
      return "is-a-directory";
    case "ENOTSUP":
    case "ENXIO":
    case "ENODEV":
      return "not-a-file";
    case "ELOOP":
      return "loop";
    case "ENOSPC":
    case "EDQUOT":
      return "no-space";
    case "EROFS":
      return "read-only";
    default:
      return "other";
  }
}

/** What is thrown for a pipe, a socket or a device, which nobody may wait for. */
export function notAFile(): Error {
  return Object.assign(new Error("not a file"), { code: "ENOTSUP" });
}

/** Turns what a runtime threw into a {@linkcode FileSystemError}; both runtimes give the system's code. */
export function fileError(operation: string, path: string, cause: unknown): FileSystemError {
  const systemCode = (cause as { code?: unknown } | null)?.code;
  return new FileSystemError(operation, path, codeOf(systemCode), cause);
}

/** Runs a file operation and rejects with a {@linkcode FileSystemError} when it fails. */
export async function fileOperation<T>(
  operation: string,
  path: string,
  body: () => T | Promise<T>,
): Promise<T> {
  try {
    return await body();
  } catch (cause) {
    throw fileError(operation, path, cause);
  }
}

/** Runs a file operation that is done when it returns, and throws a {@linkcode FileSystemError} when it fails. */
export function fileOperationNow<T>(operation: string, path: string, body: () => T): T {
  try {
    return body();
  } catch (cause) {
    throw fileError(operation, path, cause);
  }
}
