import type { StopReason } from "../contract/stop.ts";
import type { Turn, WithheldReason } from "../contract/turn.ts";
import { nothingRan, withheldNames } from "./explain.ts";

/** Why calls were held back, and what a person can do about it: the end of a sentence. */
const endings: Readonly<Record<Exclude<StopReason, "tool-use">, string>> = {
  length: "the reply was cut at the output limit: ask for less in one step",
  "context-window":
    "the conversation no longer fits the model: shorten it, or start a new conversation",
  refusal: "the model declined to answer: ask in another way",
  "content-filter": "a content filter stopped the reply: ask in another way",
  "malformed-tool-call": "the model wrote a tool call that cannot be used: ask for it again",
  pause: "the provider paused the reply: ask the model to continue",
  stop: "the stop reason of the reply permits no tool calls: ask for it again",
  unknown: "the provider ended the reply for a reason that is not known: ask for it again",
  interrupted: "the reply did not arrive completely: ask for it again",
  error: "the provider reported an error: ask for it again",
  aborted: "the reply was aborted",
};

/** What a rule of the gate knows better. */
const reasonEndings: Readonly<Partial<Record<WithheldReason, string>>> = {
  "stop-sequence": "a stop sequence ended the reply: ask for it again",
  "cap-unproven":
    "the reply may have been cut at the output limit: ask for it again, or for less in one step",
};

/**
 * The text in place of withheld calls: one sentence for the person in front of an agent, who cannot
 * set the options of a program.
 */
export function withheldNote({
  stopReason,
  withheld,
  sideEffects,
}: Exclude<Turn, { readonly stopReason: "tool-use" }>): string {
  const names = withheld.length === 0 ? "a tool call" : withheldNames(withheld);
  const known = withheld[0] && reasonEndings[withheld[0].reason];
  const effects = sideEffects
    ? "; a tool that the provider runs had already started, and its effects remain"
    : "";
  return `[The guard held back ${names}, and ${nothingRan(withheld)}, because ${known ?? endings[stopReason]}${effects}.]`;
}
