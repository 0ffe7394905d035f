import { UsageError } from "./command.ts";

/** Units of a time span, in seconds. */
const SPANS: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3_600,
  d: 24 * 3_600,
  w: 7 * 24 * 3_600,
};

/** Units of a size, in bytes. */
const SIZES: Readonly<Record<string, number>> = {
  "": 1,
  K: 1_024,
  M: 1_024 ** 2,
  G: 1_024 ** 3,
};

/** Reads a span of time such as `30d` or `12h`, in seconds. */
export function spanSeconds(text: string): number {
  const match = /^(\d+(?:\.\d+)?)([smhdw])$/.exec(text);
  if (match === null) throw new UsageError(`write a time as 90s, 10m, 12h, 30d or 2w, not ${text}`);
  return Number(match[1]) * SPANS[match[2]];
}

/** Reads a moment, as a span before now or as a date, in seconds since the epoch. */
export function momentSeconds(text: string, nowMs: number): number {
  if (/^\d+(?:\.\d+)?[smhdw]$/.test(text)) return nowMs / 1_000 - spanSeconds(text);
  const moment = Date.parse(text);
  if (Number.isNaN(moment)) {
    throw new UsageError(
      `write a time as 10m, 12h, 30d or as a date like 2026-05-01T12:00, not ${text}`,
    );
  }
  return moment / 1_000;
}

/** Reads a size such as `200MB`, in bytes. */
export function sizeBytes(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([KMG]?)i?B?$/i.exec(text);
  if (match === null) throw new UsageError(`write a size as 500KB, 200MB or 1GB, not ${text}`);
  return Math.floor(Number(match[1]) * SIZES[match[2].toUpperCase()]);
}

/** Bytes in the unit that suits them. */
export function sizeText(bytes: number): string {
  const unit = bytes >= SIZES.G ? "G" : bytes >= SIZES.M ? "M" : bytes >= SIZES.K ? "K" : "";
  const value = bytes / SIZES[unit];
  return `${unit === "" || value >= 100 ? Math.round(value) : value.toFixed(1)} ${unit}B`;
}

/** The day, in local time: `2026-05-01`. */
export function dayText(seconds: number): string {
  const date = new Date(seconds * 1_000);
  return [date.getFullYear(), pad(date.getMonth() + 1), pad(date.getDate())].join("-");
}

/** The time of day, in local time: `12:03:44`. */
export function clockText(seconds: number): string {
  const date = new Date(seconds * 1_000);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(pad).join(":");
}

/** Day and time of day to the minute. */
export function minuteText(seconds: number): string {
  return `${dayText(seconds)} ${clockText(seconds).slice(0, 5)}`;
}

function pad(number: number): string {
  return String(number).padStart(2, "0");
}
