import type { Turn } from "@fullstop/core";
import { type Rendered, render, sseStyles } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { expectedWhenCut, outline } from "../../harness/expect.ts";
import { prefixLengths } from "../../harness/places.ts";
import { withBytes } from "../../harness/harness.ts";
import type { Sample } from "../../wire.ts";

const plain = {};

export const laterPrefix: Clause = {
  id: "stop.later-prefix",
  rule: "Once its terminal is whole, a reply reads as the whole of it, wherever it then ends; only a protocol without an end of its own may doubt it, where an event behind is cut.",
  level: "must",
  because:
    "https://www.npmjs.com/package/@anthropic-ai/sdk 1.12 loses the last event when the blank line behind it is missing",
  async *check(harness) {
    for (const { name, frames, turn } of harness.exchanges) {
      for (const style of [
        plain,
        sseStyles["lines that end in CRLF"],
        sseStyles["lines that end in CR"],
      ]) {
        const rendered = render(frames, style);
        for (const length of [
          rendered.completeLength,
          ...prefixLengths(rendered, {
            ...harness,
            exhaustive: harness.exhaustive && style === plain,
          }).filter((n) => n > rendered.completeLength),
        ]) {
          const bytes = rendered.bytes.subarray(0, length);
          const read = await harness.ask(bytes);
          const doubtful = harness.wire.ends !== true && !isBetweenEvents(rendered, length);
          const expected = doubtful ? either(turn, read) : outline(turn);
          yield withBytes(
            {
              at: `${name}, ${length - rendered.completeLength} bytes behind its terminal`,
              expected,
              actual: outline(read),
            },
            bytes,
          );
        }
      }
    }
  },
};

/** All but at most a line end of each event is there. */
const isBetweenEvents = ({ edges, completeLength: whole }: Rendered, length: number): boolean =>
  length === whole || edges.some((edge) => length <= edge && edge - length <= 1);

const either = (whole: Sample["turn"], read: Turn): string =>
  outline(read) === expectedWhenCut(whole, read) ? expectedWhenCut(whole, read) : outline(whole);
