import type { Turn } from "@fullstop/core";
import { type Rendered, render, styles } from "../../bytes.ts";
import type { Clause } from "../../clause.ts";
import { cutTurn, outline } from "../../expect.ts";
import { lengths } from "../../places.ts";
import { compared } from "../../rig.ts";
import type { Fixture } from "../../wire.ts";

const plain = {};

export const laterPrefix: Clause = {
  id: "stop.later-prefix",
  rule: "Once its terminal is whole, a reply reads as the whole of it, wherever it then ends; only a protocol without an end of its own may doubt it, where an event behind is cut.",
  level: "must",
  because:
    "https://www.npmjs.com/package/@anthropic-ai/sdk 1.12 loses the last event when the blank line behind it is missing",
  async *prove(rig) {
    for (const { name, frames, turn } of rig.exchanges) {
      for (const style of [
        plain,
        styles["lines that end in CRLF"],
        styles["lines that end in CR"],
      ]) {
        const rendered = render(frames, style);
        for (const length of [
          rendered.whole,
          ...lengths(rendered, { ...rig, exhaustive: rig.exhaustive && style === plain }).filter(
            (n) => n > rendered.whole,
          ),
        ]) {
          const bytes = rendered.bytes.subarray(0, length);
          const read = await rig.ask(bytes);
          const doubtful = rig.wire.ends !== true && !isBetweenEvents(rendered, length);
          const expected = doubtful ? either(turn, read) : outline(turn);
          yield compared(
            {
              at: `${name}, ${length - rendered.whole} bytes behind its terminal`,
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
const isBetweenEvents = ({ edges, whole }: Rendered, length: number): boolean =>
  length === whole || edges.some((edge) => length <= edge && edge - length <= 1);

const either = (whole: Fixture["turn"], read: Turn): string =>
  outline(read) === cutTurn(whole, read) ? cutTurn(whole, read) : outline(whole);
