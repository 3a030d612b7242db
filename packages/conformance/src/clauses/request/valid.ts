import { json, render, shortened, utf8 } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { nextMessages, sendable } from "../../harness/history.ts";
import { edgesOf } from "../../harness/places.ts";
import { question } from "../../harness/harness.ts";
import { over } from "../../loop/checks.ts";
import { scripts } from "../../loop/scripts.ts";

export const valid: Clause = {
  id: "request.valid",
  rule: "The request after any reply, whole or cut, keeps the vendor's rules for histories.",
  level: "must",
  because:
    "claude-code#8210, gemini-cli#16202, letta#3273: one invalid request, and every later one gets the same 400",
  run: over(scripts.everything, ({ ran }, { wire }) => {
    const found = ran.requests.map(({ body }) => wire.violations(json(body)));
    const first = found.findIndex((violations) => violations.length > 0);
    const expected = "no violation";
    if (first < 0) return { expected, actual: expected };
    const bytes = shortened(utf8(ran.requests[first]?.body ?? ""));
    return { expected, actual: `request ${first + 1}: ${found[first]?.join("\n")}`, bytes };
  }),
  async *prove(rig) {
    yield sendable(rig, "the first request", question.messages);
    for (const { name, frames } of rig.exchanges) {
      const rendered = render(frames);
      for (const length of edgesOf(rendered, rig)) {
        const turn = await rig.ask(rendered.bytes.subarray(0, length));
        yield sendable(
          rig,
          `after ${name}, ${length} bytes of it`,
          nextMessages(question.messages, turn),
        );
      }
    }
  },
};
