import {
  type Fields,
  isListOrNone,
  isNullish,
  listOrEmpty,
  members,
  nonBlank,
  numberOrNone,
  textOrNone,
} from "../json.ts";
import type { StopMeaning } from "../reading.ts";
import type { ItemRecord, ResponsesState } from "./records.ts";
import { responsesMeaning } from "./stops.ts";

/** `named`: the status in the name of the event. */
export function takeResponse(
  state: ResponsesState,
  response: Fields,
  named: string | undefined,
): void {
  const { notes } = state;
  const { output, incomplete_details: details } = response;
  notes.flaw("an error report", Boolean(response["error"]));
  notes.doubt("a complete response without output", output === undefined && named === undefined);
  notes.ambiguity("an output that is not a list", !isListOrNone(output));
  for (const [at, item] of listOrEmpty(output).entries()) takeFinalItem(state, members(item), at);
  notes.doubt(
    "an invalid status",
    response["status"] !== undefined && nonBlank(response["status"]) === undefined,
  );
  const reason = textOrNone(members(details)["reason"]);
  const told = nonBlank(reason) === undefined ? undefined : "incomplete";
  const status = nonBlank(response["status"]) ?? named ?? told;
  const word = status === undefined ? nonBlank(response["stop_reason"]) : undefined;
  notes.doubt("a word of another protocol in place of the status", word !== undefined);
  notes.doubt(
    "details without a reason",
    !isNullish(details) && reason === undefined && status !== "incomplete",
  );
  const given = status ?? word;
  state.ended = given !== undefined && !["in_progress", "queued"].includes(given);
  if (status !== undefined && state.ended)
    notes.stops.push(...meaningsOfStatus(state, { status, named, reason }));
  notes.secondWord(response["stop_reason"], state.ended);
  notes.output = numberOrNone(members(response["usage"])["output_tokens"]);
}

export interface ClaimedStatus {
  readonly status: string;
  readonly named: string | undefined;
  readonly reason: string | undefined;
}

export function meaningsOfStatus(
  { entries, notes }: ResponsesState,
  { status, named, reason }: ClaimedStatus,
): readonly StopMeaning[] {
  const isRefused = status === "completed" && entries.all.some((entry) => entry.refuses);
  notes.doubt(
    "an event name that differs from the status",
    named !== undefined && status !== named,
  );
  const isCut = status !== "incomplete" && (reason !== undefined || named === "incomplete");
  return [
    isRefused ? "refusal" : responsesMeaning(status, reason),
    ...(isCut ? [responsesMeaning("incomplete", reason)] : []),
    ...(named === "failed" ? ["error" as const] : []),
  ];
}

/** Matches an item of the final output with the item of the events. */
export function takeFinalItem({ entries, notes }: ResponsesState, item: Fields, at: number): void {
  const type = textOrNone(item["type"]);
  if (type === undefined) return notes.ambiguity("an item without a type");
  const call = nonBlank(item["call_id"]);
  const sameCall =
    call === undefined
      ? undefined
      : entries.all.find((entry) => entry.items.some((other) => other["call_id"] === call));
  const known: ItemRecord | undefined = sameCall ?? entries.all[at];
  if (known === undefined) {
    notes.doubt("an item that no event announced", entries.all.length > 0);
    const entry = entries.open({ place: at, id: item["id"] }, type);
    entry.refuses = refuses(item);
    entry.last = item;
    return undefined;
  }
  if (isSameUnderOtherType(known, item)) {
    known.last = { ...known.done, status: item["status"] };
    return;
  }
  if (
    known.type !== type ||
    known.last !== undefined ||
    (call === undefined) !== (known.callId() === undefined)
  ) {
    return notes.ambiguity("an output that differs from its events");
  }
  known.last = item;
  known.refuses ||= refuses(item);
}

/** The text of a custom tool as the only member of a function's arguments. */
function isSameUnderOtherType(known: ItemRecord, item: Fields): boolean {
  const free = known.done;
  if (known.type !== "custom_tool_call" || item["type"] !== "function_call") return false;
  return (
    free !== undefined &&
    free["name"] === item["name"] &&
    item["arguments"] === JSON.stringify({ input: free["input"] })
  );
}

export const refuses = ({ content }: Fields): boolean =>
  listOrEmpty(content).some((part) => members(part)["type"] === "refusal");
