import { render, utf8 } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { errorKindOf, outline } from "../../harness/expect.ts";
import { finishedReply } from "../../harness/inputs.ts";
import { withBytes } from "../../harness/harness.ts";
import { writeCall } from "../../harness/scenarios.ts";

const mebi = 1024 * 1024;
/** More than any reader should take. */
const limit = 24;
const offered = 2 * limit;

export const tooLarge: Clause = {
  id: "wire.too-large",
  rule: "An input without end is given up as too large, and the rest of it is not read.",
  level: "must",
  because: "pi#9265: megabytes of arguments starve a shared process for good",
  async *check(harness) {
    const marker = "<<here>>";
    const { bytes } = render(
      finishedReply(harness, [{ ...writeCall, input: { content: marker } }]),
    );
    const [head = "", tail = ""] = new TextDecoder().decode(bytes).split(marker);
    const filler = utf8("a".repeat(mebi));
    let sent = 0;
    const endless = function* (): Generator<Uint8Array<ArrayBuffer>> {
      yield utf8(head);
      for (; sent < offered; sent++) yield filler;
      yield utf8(tail);
    };
    const turn = await harness.ask({ chunks: endless() });
    const read = sent <= limit ? `at most ${limit} MiB read` : `${sent} MiB read`;
    yield withBytes({
      at: `an input of ${offered} MiB`,
      expected: `interrupted, runs nothing, too-large, at most ${limit} MiB read`,
      actual: `${outline(turn)}, ${errorKindOf(turn)}, ${read}`,
    });
  },
};
