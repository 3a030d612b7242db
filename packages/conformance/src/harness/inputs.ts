import type { WithheldReason } from "@fullstop/core";
import type { Frames, ReplyCall } from "../wire.ts";
import { jsonAnswer, render } from "./bytes.ts";
import { type Check, withBytes } from "./check.ts";
import { outline } from "./expect.ts";
import type { Harness } from "./harness.ts";
import type { Answer } from "./host.ts";
import { replaceInput, replaceJson } from "./mutate.ts";
import { fewTokens, nativeStopForCalls } from "./scenarios.ts";

/** A complete reply with these calls. */
export const finishedReply = ({ wire }: Harness, blocks: readonly ReplyCall[]): Frames =>
  wire.frames({ blocks, stop: nativeStopForCalls(wire) ?? "", output: fewTokens });

/** The same reply, with another text as the input of its first call. Returns `undefined` if the protocol does not send inputs as text. */
export const withInputText = (
  harness: Harness,
  calls: readonly [ReplyCall, ...ReplyCall[]],
  text: string,
): Frames | undefined =>
  replaceInput(finishedReply(harness, calls), JSON.stringify(calls[0].input), text);

/** The same reply in one JSON body, with other JSON as the input of its call. Returns `undefined` if the protocol has no such body. */
export function bodyWithInput(
  { wire }: Harness,
  call: ReplyCall,
  json: string,
): Answer | undefined {
  const stop = nativeStopForCalls(wire) ?? "";
  const body = wire.whole?.({ blocks: [call], stop, output: fewTokens });
  const other =
    body === undefined ? undefined : replaceJson(body, JSON.stringify(call.input), json);
  return other === undefined ? undefined : jsonAnswer(other);
}

/** Sends each text as the complete input of a closed call in a finished reply. It must not run, and must be withheld for the given reason. */
export async function* checkInputsNeverRun(
  harness: Harness,
  call: ReplyCall,
  texts: Readonly<Record<string, WithheldReason>>,
): AsyncGenerator<Check> {
  for (const [text, reason] of Object.entries(texts)) {
    const frames = withInputText(harness, [call], text);
    if (frames === undefined) continue;
    const { bytes } = render(frames);
    const turn = await harness.ask(bytes);
    const reasons = turn.withheld.map((withheld) => withheld.reason).join();
    yield withBytes(
      {
        at: `${call.name} with the input ${text}`,
        expected: `malformed-tool-call, runs nothing: ${reason}`,
        actual: `${outline(turn)}: ${reasons}`,
      },
      bytes,
    );
  }
}

/** The same reason for each text. */
export const sameReason = (
  reason: WithheldReason,
  texts: readonly string[],
): Readonly<Record<string, WithheldReason>> =>
  Object.fromEntries(texts.map((text) => [text, reason]));

/** Why a subject cannot be asked about the text of inputs. */
export const whyNoInputText = (harness: Harness): string | undefined =>
  withInputText(harness, [{ name: "read", id: "call_1", input: { path: "a" } }], "{}") === undefined
    ? "the wire sends inputs as JSON, not as text"
    : undefined;
