import { render } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { prefixLengths } from "../../harness/places.ts";
import { withBytes } from "../../harness/harness.ts";
import { isReplyCall, repliesFor, tokensForStop } from "../../harness/scenarios.ts";
import type { Reply } from "../../wire.ts";

const textOf = ({ blocks }: Reply): string =>
  blocks.flatMap((block) => (isReplyCall(block) ? [] : [block.text])).join("");

export const textKept: Clause = {
  id: "turn.text-kept",
  rule: "The text of a reply is told to the caller in full, whatever ended it; of a cut one, what came.",
  level: "must",
  because:
    "opencode#38747, OpenRouterTeam/ai-sdk-provider#558: people ask for the partial text that retries throw away",
  async *check(harness) {
    for (const { name, reply } of repliesFor(harness.wire)) {
      const rendered = render(harness.wire.frames(reply));
      yield withBytes(
        { at: name, expected: textOf(reply), actual: (await harness.ask(rendered.bytes)).text },
        rendered.bytes,
      );
    }
    const blocks = [{ text: "One sentence. " }, { name: "read", id: "call_1", input: {} }];
    for (const stop of Object.values(harness.wire.nativeStops)) {
      const rendered = render(
        harness.wire.frames({ blocks, stop, output: tokensForStop(harness.wire, stop) }),
      );
      let longest = "";
      for (const length of prefixLengths(rendered, { exhaustive: false })) {
        const bytes = rendered.bytes.subarray(0, length);
        const { text } = await harness.ask(bytes);
        const grown = text.startsWith(longest) && "One sentence. ".startsWith(text);
        longest = text;
        yield withBytes(
          {
            at: `cut after ${length} bytes, under "${stop}"`,
            expected: "the beginning of the text, as far as it came",
            actual: grown ? "the beginning of the text, as far as it came" : text,
          },
          bytes,
        );
      }
      yield withBytes(
        { at: `the whole, under "${stop}"`, expected: "One sentence. ", actual: longest },
        rendered.bytes,
      );
    }
  },
};
