import type { Turn } from "@fullstop/core";
import { parseJson, render, utf8 } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { withBytes } from "../../harness/harness.ts";
import { callShapes, isReplyCall, tokensForStop } from "../../harness/scenarios.ts";
import type { Frames, Reply, ReplyCall } from "../../wire.ts";

const line = (name: string | undefined, input: unknown): string =>
  `${name} ${JSON.stringify(input)}`;
const listed = (lines: readonly string[]): string =>
  lines.length === 0 ? "no call" : lines.toSorted().join(" and ");

/** The calls that a turn tells of: those that it gives out, and those that it withholds. */
const told = ({ calls, withheld }: Turn): string =>
  listed([
    ...calls.map(({ name, input }) => line(name, input)),
    ...withheld.map(({ name, inputText }) => line(name, parseJson(inputText || "{}") ?? inputText)),
  ]);
const sentIn = ({ blocks }: Pick<Reply, "blocks">): string =>
  listed(blocks.filter(isReplyCall).map(({ name, input }) => line(name, input)));

const named = (...ids: readonly string[]): readonly ReplyCall[] =>
  ids.map((id, n) => ({ name: "read", id, input: { path: `/${n}` } }));
const alike = [
  named("", ""),
  named("same", "same"),
  named("", "call_b"),
  named("call_a", "", "call_c"),
].map((blocks) => ({
  name: `calls of one tool with the ids ${JSON.stringify(blocks.map(({ id }) => id))}`,
  blocks,
}));

/** A reply that ends with its terminal, without it, or with an error in its place. */
function endings(frames: Frames, error: string | undefined): Readonly<Record<string, Frames>> {
  const before = frames.upToTerminal.slice(0, -1);
  return {
    "": frames,
    ", without its terminal": { upToTerminal: before },
    ...(error !== undefined && {
      ", with an error in place of its terminal": { upToTerminal: [...before, error] },
    }),
  };
}

export const noneLost: Clause = {
  id: "call.none-lost",
  rule: "Every call that was sent is given out or withheld. A call that is said twice counts once.",
  level: "must",
  because:
    "hermes-agent#62940, gcli2api#406: parallel calls without ids and under one index became one",
  async *check(harness) {
    const { wire } = harness;
    for (const { name, blocks } of [...callShapes.slice(0, 6), ...alike]) {
      for (const stop of new Set(Object.values(wire.nativeStops))) {
        const reply = { blocks, stop, output: tokensForStop(wire, stop) };
        const at = `${name}, under "${stop}"`;
        for (const [how, frames] of Object.entries(
          endings(wire.frames(reply), wire.errors?.[0]?.frame),
        )) {
          const { bytes } = render(frames);
          yield withBytes(
            { at: at + how, expected: sentIn(reply), actual: told(await harness.ask(bytes)) },
            bytes,
          );
        }
        const body = wire.whole?.(reply);
        if (body === undefined) continue;
        const turn = await harness.ask({
          chunks: [utf8(body)],
          headers: { "content-type": "application/json" },
        });
        yield withBytes(
          { at: `${at}, not streamed`, expected: sentIn(reply), actual: told(turn) },
          utf8(body),
        );
      }
    }
  },
};
