import type { WithheldReason } from "@fullstop/core";
import { render, utf8 } from "./bytes.ts";
import type { Check } from "../clause.ts";
import { outline } from "./expect.ts";
import type { Answer } from "./host.ts";
import { replaceInput, replaceJson } from "./mutate.ts";
import { withBytes, type Harness } from "./harness.ts";
import { nativeStopForCalls } from "./scenarios.ts";
import { fewTokens } from "./tokens.ts";
import type { Frames, ReplyCall } from "../wire.ts";

/** A finished reply of these calls. */
export const finishedReply = ({ wire }: Harness, blocks: readonly ReplyCall[]): Frames =>
  wire.frames({ blocks, stop: nativeStopForCalls(wire) ?? "", output: fewTokens });

/** The same reply with another text written as the input of its first call; nothing where the protocol sends no text for it. */
export const withInputText = (
  harness: Harness,
  calls: readonly [ReplyCall, ...ReplyCall[]],
  text: string,
): Frames | undefined =>
  replaceInput(finishedReply(harness, calls), JSON.stringify(calls[0].input), text);

/** The same reply in one body, with other JSON as the input of its call. Nothing where the protocol cannot say it in one piece. */
export function bodyWithInput(
  { wire }: Harness,
  call: ReplyCall,
  json: string,
): Answer | undefined {
  const body = wire.whole?.({
    blocks: [call],
    stop: nativeStopForCalls(wire) ?? "",
    output: fewTokens,
  });
  const other =
    body === undefined ? undefined : replaceJson(body, JSON.stringify(call.input), json);
  return other === undefined
    ? undefined
    : { chunks: [utf8(other)], headers: { "content-type": "application/json" } };
}

/** Each text, written as the whole input of a call that is closed, under a finished reply: it must not run, for the reason that is told of it. */
export async function* unusable(
  harness: Harness,
  call: ReplyCall,
  texts: Readonly<Record<string, WithheldReason>>,
): AsyncGenerator<Check> {
  for (const [text, why] of Object.entries(texts)) {
    const frames = withInputText(harness, [call], text);
    if (frames === undefined) continue;
    const { bytes } = render(frames);
    const turn = await harness.ask(bytes);
    const actual = `${outline(turn)}: ${turn.withheld.map((withheld) => withheld.reason).join()}`;
    yield withBytes(
      {
        at: `${call.name} with the input ${text}`,
        expected: `malformed-tool-call, runs nothing: ${why}`,
        actual,
      },
      bytes,
    );
  }
}
/** The same reason for each text. */
export const sameReason = (
  why: WithheldReason,
  texts: readonly string[],
): Readonly<Record<string, WithheldReason>> => Object.fromEntries(texts.map((text) => [text, why]));

/** Why a subject cannot be asked about the text of inputs. */
export const whyNoInputText = (harness: Harness): string | undefined =>
  withInputText(harness, [{ name: "read", id: "call_1", input: { path: "a" } }], "{}") === undefined
    ? "the wire sends inputs as JSON, not as text"
    : undefined;
