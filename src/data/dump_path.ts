import type { DataLoggerConfig } from "./data_logger_config.ts";

/**
 * Names a file to dump a log to: prefix, time, random digits, as configured.
 *
 * @param cwd The folder a relative `persistDir` is in.
 * @param attempt Counted from 1; from 2 on it is part of the name, which a configuration may leave with nothing that differs.
 */
export function dumpPath(config: DataLoggerConfig, cwd: string, attempt: number): string {
  const { persistDir, subfolder, filePrefix, extension, useTimestamp, hashDigits } = config;
  const digits = crypto.randomUUID().replaceAll("-", "").slice(0, hashDigits ?? 0);
  const name = [
    [filePrefix ?? "", useTimestamp ? timestamp(new Date()) : ""].filter((part) => part !== "")
      .join("_"),
    digits,
    attempt === 1 ? "" : String(attempt),
  ].filter((part) => part !== "").join("-");
  const folder = persistDir.startsWith("/") ? persistDir : `${cwd}/${persistDir}`;
  return [folder, subfolder ?? "", `${name || "log"}${suffix(extension)}`]
    .filter((part) => part !== "")
    .join("/");
}

/** The time in UTC to the second, as digits that sort. */
function timestamp(now: Date): string {
  return now.toISOString().slice(0, 19).replace(/[-:T]/g, "");
}

function suffix(extension: string): string {
  return extension.startsWith(".") ? extension : `.${extension}`;
}
