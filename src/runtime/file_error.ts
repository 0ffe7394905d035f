import { type FileErrorCode, FileSystemError } from "./port.ts";

const CODES: Readonly<Record<string, FileErrorCode>> = {
  ENOENT: "not-found",
  EEXIST: "exists",
  EACCES: "permission",
  EPERM: "permission",
  ENOTDIR: "not-a-directory",
  EISDIR: "is-a-directory",
  ELOOP: "loop",
  ENOSPC: "no-space",
  EDQUOT: "no-space",
  EROFS: "read-only",
};

/** Turns what a runtime threw into a {@linkcode FileSystemError}; both runtimes give the system's code. */
export function fileError(operation: string, path: string, cause: unknown): FileSystemError {
  const systemCode = (cause as { code?: unknown } | null)?.code;
  const code = typeof systemCode === "string" ? CODES[systemCode] : undefined;
  return new FileSystemError(operation, path, code ?? "other", cause);
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
