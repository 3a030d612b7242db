import type { StopReason, Turn, WithheldReason } from "@fullstop/core";
import { withheldNames } from "@fullstop/core/adapter";
import type { GuardOptions } from "../options.ts";
import { callUserFunction } from "../user-function.ts";

/** The stop reasons of replies that arrived, and whose calls are withheld. */
type NotedStop = Exclude<StopReason, "tool-use" | "interrupted" | "error" | "aborted">;

/** Why calls were held back, and what a person can do about it: the end of a sentence. */
const endings: Readonly<Record<NotedStop, string>> = {
  length: "the reply was cut at the output limit: ask for less in one step",
  "context-window":
    "the conversation no longer fits the model: shorten it, or start a new conversation",
  refusal: "the model declined to answer: ask in another way",
  "content-filter": "a content filter stopped the reply: ask in another way",
  "malformed-tool-call": "the model wrote a tool call that cannot be used: ask for it again",
  pause: "the provider paused the reply: ask the model to continue",
  stop: "the reply ended before the call was due to run: ask for it again",
  unknown: "the provider ended the reply for a reason that is not known: ask for it again",
};
/** Whether the reply arrived, so that it can end with a note. */
export const isNoted = (stopReason: StopReason): stopReason is NotedStop =>
  Object.hasOwn(endings, stopReason);
/** What a rule of the gate knows better. */
const findings: Readonly<Partial<Record<WithheldReason, string>>> = {
  "stop-sequence": "a stop sequence ended the reply: ask for it again",
  "cap-unproven":
    "the reply may have been cut at the output limit: ask for it again, or for less in one step",
};

/**
 * The text in place of withheld calls: one sentence for the person in front of an agent, who cannot
 * set the options of a program. It begins on a line of its own, because clients join texts.
 */
export function noteOf(
  turn: Turn,
  stopReason: NotedStop,
  { note }: Pick<GuardOptions, "note">,
): string | undefined {
  if (note === false) return undefined;
  const standard = standardNote(turn, stopReason);
  const text = note === undefined ? standard : callUserFunction("note", () => note(turn), standard);
  return text !== undefined && turn.text !== "" ? `\n\n${text}` : text;
}

function standardNote({ withheld, sideEffects }: Turn, stopReason: NotedStop): string {
  const names = withheld.length === 0 ? "a tool call" : withheldNames(withheld);
  const nothing = `nothing of ${withheld.length > 1 ? "them" : "it"} ran`;
  const known = withheld[0] && findings[withheld[0].reason];
  const effects = sideEffects
    ? "; a tool that the provider runs had already started, and its effects remain"
    : "";
  return `[The guard held back ${names}, and ${nothing}, because ${known ?? endings[stopReason]}${effects}.]`;
}
