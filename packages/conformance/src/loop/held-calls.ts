import { isObject, nestedValues, tryParseJson } from "../harness/json.ts";
import type { ReplyCall, Violation, Wire } from "../wire.ts";
import type { SeenRequest } from "./conversation.ts";
import { inputTextOf } from "./script.ts";

/** Whether a request holds a call that did not run, without a result beside it that says so. */
export function holdsOpenCall({ agent }: Wire, body: unknown, call: ReplyCall): boolean {
  const isAnswered = agent
    ?.results(body)
    .some((result) => result.call === call.name || result.call.startsWith(call.id));
  return holdsCall(body, call) && !isAnswered;
}

/** Whether it is the id of the call, or of the same call in the reply to a retry. */
const isIdOf = ({ id }: ReplyCall, text: string): boolean =>
  text === id || text.startsWith(`${id}_`);

/**
 * Whether a request holds a call or the beginning of one: its id, or its input as text or as JSON.
 */
function holdsCall(body: unknown, call: ReplyCall): boolean {
  const { input } = call;
  const beginning = inputTextOf(call).slice(0, 20);
  const [[key, value] = []] = Object.entries(input);
  for (const part of nestedValues(body)) {
    if (typeof part === "string" && (isIdOf(call, part) || part.startsWith(beginning))) return true;
    if (key !== undefined && isObject(part) && part[key] === value) return true;
  }
  return false;
}

/** What a request breaks in each of the forms in which the provider may read it. */
export function findViolations(
  { request, possible, refusals }: SeenRequest,
  wire: Wire,
): readonly (readonly Violation[])[] {
  if (refusals.length === 0) return possible.map((body) => wire.violations(body, request));
  const part = tryParseJson(request.body);
  return [refusals.map((message) => ({ message, part }))];
}

/** Whether the vendor refuses a request because of how it holds one of the calls. */
export const isRefusedForCall = (
  seen: SeenRequest,
  wire: Wire,
  calls: readonly ReplyCall[],
): boolean =>
  findViolations(seen, wire).every((violations) =>
    violations.some(
      ({ level = "must", part }) => level === "must" && calls.some((call) => holdsCall(part, call)),
    ),
  );
