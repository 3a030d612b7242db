import { isObject } from "../harness/bytes.ts";
import { parts } from "../harness/history.ts";
import type { ReplyCall, Wire } from "../wire.ts";

/** Whether a request holds a call that did not run, and no result beside it that says so. */
export const holdsOpenCall = ({ agent }: Wire, body: unknown, call: ReplyCall): boolean =>
  holdsCall(body, call) &&
  !agent
    ?.results(body)
    .some((result) => result.call === call.name || result.call.startsWith(call.id));

/** Whether a request holds a call or the beginning of one: by its id, or by its input as text or as JSON. */
function holdsCall(body: unknown, { id, input }: ReplyCall): boolean {
  const begins = JSON.stringify(input).slice(0, 20);
  const [[key, value] = []] = Object.entries(input);
  for (const part of parts(body)) {
    if (part === id || (typeof part === "string" && part.startsWith(begins))) return true;
    if (key !== undefined && isObject(part) && part[key] === value) return true;
  }
  return false;
}
