import { render } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { lengths } from "../../harness/places.ts";
import { compared } from "../../harness/harness.ts";
import { isCall, said, tokensUnder } from "../../harness/scenarios.ts";
import type { Reply } from "../../wire.ts";

const textOf = ({ blocks }: Reply): string =>
  blocks.flatMap((block) => (isCall(block) ? [] : [block.text])).join("");

export const textKept: Clause = {
  id: "turn.text-kept",
  rule: "The text of a reply is told to the caller in full, whatever ended it; of a cut one, what came.",
  level: "must",
  because:
    "opencode#38747, OpenRouterTeam/ai-sdk-provider#558: people ask for the partial text that retries throw away",
  async *prove(rig) {
    for (const { name, reply } of said(rig.wire)) {
      const rendered = render(rig.wire.frames(reply));
      yield compared(
        { at: name, expected: textOf(reply), actual: (await rig.ask(rendered.bytes)).text },
        rendered.bytes,
      );
    }
    const blocks = [{ text: "One sentence. " }, { name: "read", id: "call_1", input: {} }];
    for (const stop of Object.values(rig.wire.nativeStops)) {
      const rendered = render(
        rig.wire.frames({ blocks, stop, output: tokensUnder(rig.wire, stop) }),
      );
      let longest = "";
      for (const length of lengths(rendered, { exhaustive: false })) {
        const bytes = rendered.bytes.subarray(0, length);
        const { text } = await rig.ask(bytes);
        const grown = text.startsWith(longest) && "One sentence. ".startsWith(text);
        longest = text;
        yield compared(
          {
            at: `cut after ${length} bytes, under "${stop}"`,
            expected: "the beginning of the text, as far as it came",
            actual: grown ? "the beginning of the text, as far as it came" : text,
          },
          bytes,
        );
      }
      yield compared(
        { at: `the whole, under "${stop}"`, expected: "One sentence. ", actual: longest },
        rendered.bytes,
      );
    }
  },
};
