import type { Proof } from "./clause.ts";
import { outline } from "./expect.ts";
import { withInput } from "./rewrite.ts";
import { type Rig, readsFrames } from "./rig.ts";
import { fewTokens, wordForCalls } from "./scenarios.ts";
import type { Frames, ReplyCall } from "./wire.ts";

/** A finished reply of these calls. */
export const finishedReply = ({ wire }: Rig, blocks: readonly ReplyCall[]): Frames =>
  wire.frames({ blocks, stop: wordForCalls(wire) ?? "", output: fewTokens });

/** The same reply with another text written as the input of its first call; nothing where the protocol sends no text for it. */
export const written = (rig: Rig, calls: readonly [ReplyCall, ...ReplyCall[]], text: string): Frames | undefined =>
  withInput(finishedReply(rig, calls), JSON.stringify(calls[0].input), text);

/** Each text, written as the whole input of a call that is closed, under a finished reply: it must not run. */
export async function* unusable(rig: Rig, call: ReplyCall, texts: Iterable<string>): AsyncGenerator<Proof> {
  for (const text of texts) {
    const frames = written(rig, [call], text);
    if (frames !== undefined)
      yield readsFrames(rig, `${call.name} with the input ${text}`, {
        frames,
        expected: outline({ stopReason: "malformed-tool-call", calls: [] }),
      });
  }
}

/** Why a subject cannot be asked about the text of inputs. */
export const noInputText = (rig: Rig): string | undefined =>
  written(rig, [{ name: "read", id: "call_1", input: { path: "a" } }], "{}") === undefined
    ? "the wire sends inputs as JSON, not as text"
    : undefined;
