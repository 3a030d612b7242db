import { isObject } from "../bytes.ts";
import { parts } from "../history.ts";
import type { ReplyCall } from "../wire.ts";

/** Whether a request holds a call or the beginning of one: by its id, or by its input as text or as JSON. */
export function holds(body: unknown, { id, input }: ReplyCall): boolean {
  const begins = JSON.stringify(input).slice(0, 20);
  const [[key, value] = []] = Object.entries(input);
  for (const part of parts(body)) {
    if (part === id || (typeof part === "string" && part.startsWith(begins))) return true;
    if (key !== undefined && isObject(part) && part[key] === value) return true;
  }
  return false;
}
