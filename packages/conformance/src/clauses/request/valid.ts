import { parseJson, render, describeBytes, utf8 } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { nextMessages, checkRequest } from "../../harness/history.ts";
import { eventBoundaries } from "../../harness/places.ts";
import { defaultRequest } from "../../harness/harness.ts";
import { checkRuns } from "../../loop/checks.ts";
import { scripts } from "../../loop/scripts.ts";

export const valid: Clause = {
  id: "request.valid",
  rule: "The request after any reply, whole or cut, keeps the vendor's rules for histories.",
  level: "must",
  because:
    "claude-code#8210, gemini-cli#16202, letta#3273: one invalid request, and every later one gets the same 400",
  run: checkRuns(scripts.everything, ({ ran }, { wire }) => {
    const found = ran.requests.map(({ body }) => wire.violations(parseJson(body)));
    const first = found.findIndex((violations) => violations.length > 0);
    const expected = "no violation";
    if (first < 0) return { expected, actual: expected };
    const bytes = describeBytes(utf8(ran.requests[first]?.body ?? ""));
    return { expected, actual: `request ${first + 1}: ${found[first]?.join("\n")}`, bytes };
  }),
  async *check(harness) {
    yield checkRequest(harness, "the first request", defaultRequest.messages);
    for (const { name, frames } of harness.exchanges) {
      const rendered = render(frames);
      for (const length of eventBoundaries(rendered, harness)) {
        const turn = await harness.ask(rendered.bytes.subarray(0, length));
        yield checkRequest(
          harness,
          `after ${name}, ${length} bytes of it`,
          nextMessages(defaultRequest.messages, turn),
        );
      }
    }
  },
};
