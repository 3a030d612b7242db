import type { Usage } from "@fullstop/core";

const whole = new Intl.NumberFormat("en");

export const formatCount = (count: number): string => whole.format(count);

/** `1 call`, `2 calls`. */
export const formatMany = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;

const sizeUnits = ["bytes", "kB", "MB", "GB"] as const;
export function formatBytes(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3));
  const size = bytes / 1000 ** power;
  if (power === 0) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  return `${size.toPrecision(3)} ${sizeUnits[power]}`;
}

export function formatMs(duration: number): string {
  if (duration < 1000) return `${Math.round(duration)} ms`;
  if (duration < 60_000) return `${(duration / 1000).toFixed(duration < 10_000 ? 2 : 1)} s`;
  const minutes = Math.floor(duration / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.round((duration % 60_000) / 1000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A duration between two times, if both are known. */
export const formatSpan = (from: number | undefined, to: number | undefined): string | undefined =>
  from === undefined || to === undefined ? undefined : formatMs(Math.max(0, to - from));

const two = (part: number): string => String(part).padStart(2, "0");
/** The time of the day, as the machine of the reader counts it. */
export function formatClock(at: number): string {
  const date = new Date(at);
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
  return `${time}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}
export const formatDate = (at: number): string => {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? "unknown" : date.toISOString().slice(0, 19).concat(" UTC");
};

export function formatUsage({ input, output, cacheRead, reasoning }: Usage): string {
  const cached = cacheRead ? ` (${formatCount(cacheRead)} cached)` : "";
  const thought = reasoning ? ` (${formatCount(reasoning)} reasoning)` : "";
  return `${formatCount(input)} in${cached}, ${formatCount(output)} out${thought}`;
}

const encoder = new TextEncoder();
export const byteLength = (text: string): number => encoder.encode(text).length;
