import type { Fixture, HttpFailure, InBandError } from "@fullstop/conformance";
import type { Quirk } from "./quirks/chunks.ts";
import { chunk, finishChunk, fixture, noCalls, readCall } from "./quirks/fixtures.ts";

/** How the server of a host differs. */
export interface Row {
  /**
   * How it sends a reply. By default the usage comes with `finish_reason`, because every byte after
   * that is tried as an end.
   */
  readonly quirk?: Quirk;
  readonly fixtures?: readonly Fixture[];
  readonly errors?: readonly InBandError[];
  readonly failures?: readonly HttpFailure[];
  readonly notClaimed?: Readonly<Record<string, string>>;
}

export const noReasonForCalls =
  "a reply with calls ends with the native stop reason of a finished text";
export const callUnder = (
  stop: string,
  turn: Fixture["turn"],
  usage?: Readonly<Record<string, unknown>>,
): Fixture => fixture(`a call under "${stop}"`, [readCall, finishChunk(stop, usage)], { turn });
/** A call that a stop sequence of the request ended, which the host names in this field. */
export const withMatchedStop = (field: string, source: string): Fixture =>
  fixture(
    "a call that a stop sequence ended",
    [readCall, chunk({}, { finish_reason: "tool_calls", [field]: "END" })],
    { turn: noCalls("malformed-tool-call"), source },
  );
export const thoughts: Readonly<Record<string, unknown>> = chunk({
  reasoning_content: "I should read.",
});
export const reasoned = (
  completion: number,
  reasoning: number,
): Readonly<Record<string, unknown>> => ({
  prompt_tokens: 25,
  completion_tokens: completion,
  total_tokens: 25 + completion,
  completion_tokens_details: { reasoning_tokens: reasoning },
});

/** A reply that ends with `[DONE]` alone. */
export const withoutReason = (
  name: string,
  chunks: readonly Readonly<Record<string, unknown>>[],
  turn: Fixture["turn"],
): Fixture => ({
  name,
  frames: { upToTerminal: [...chunks.map((one) => JSON.stringify(one)), "[DONE]"] },
  turn,
  source: "pi#6225, openclaw#98575",
});
export const report = (completion: number): Readonly<Record<string, unknown>> => ({
  choices: [],
  usage: reasoned(completion, 0),
});
