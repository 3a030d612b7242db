import { utf8 } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { outline } from "../../harness/expect.ts";
import type { Answer } from "../../harness/host.ts";
import { withBytes } from "../../harness/harness.ts";

const page = utf8("<!doctype html><title>502</title><h1>Bad gateway</h1>\n");
const cases: Readonly<Record<string, Omit<Answer, "fault">>> = {
  "a page": { headers: { "content-type": "text/html; charset=utf-8" }, chunks: [page] },
  "a page that is called an event stream": { chunks: [page] },
  "a page that is called JSON": { headers: { "content-type": "application/json" }, chunks: [page] },
  "plain text": {
    headers: { "content-type": "text/plain" },
    chunks: [utf8("upstream connect error")],
  },
  "an empty body": { chunks: [] },
  "an empty body that is called JSON": {
    headers: { "content-type": "application/json" },
    chunks: [],
  },
  "comments only": { chunks: [utf8(": keep-alive\n\n: keep-alive\n\n")] },
  "the end of streams of another protocol only": { chunks: [utf8("data: [DONE]\n\n")] },
  "bytes that are no text": { chunks: [new Uint8Array([0x64, 0xff, 0xfe, 0x00, 0x0a, 0x0a])] },
};

export const notAReply: Clause = {
  id: "wire.not-a-reply",
  rule: "A 200 without a reply in it (a page, an empty body, keep-alives) is interrupted, and says what came.",
  level: "must",
  because:
    "sub2api#7081: a 200 with nothing in it, and agents retry for ever; the vendor SDKs give no event and no error for a page",
  async *check(harness) {
    for (const [at, answer] of Object.entries(cases)) {
      const turn = await harness.ask(answer);
      const told = "error" in turn && turn.error.message.length > 10 ? ", and says why" : "";
      yield withBytes({
        at,
        expected: "interrupted, runs nothing, and says why",
        actual: outline(turn) + told,
      });
    }
  },
};
