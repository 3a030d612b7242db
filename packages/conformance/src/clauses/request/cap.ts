import { parseJson } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { parts, sentBody } from "../../harness/history.ts";
import { withBytes } from "../../harness/harness.ts";

export const capSent: Clause = {
  id: "request.cap",
  rule: "The output cap that a request names is the cap that is sent.",
  level: "must",
  because:
    "humux#77: a cap that nobody had asked for, and thirty loops; the gate compares with what was sent",
  async *check(harness) {
    for (const maxTokens of [7919, 104_729]) {
      const body = [...parts(parseJson(await sentBody(harness, { maxTokens })))];
      yield withBytes({
        at: `maxTokens ${maxTokens}`,
        expected: "sent",
        actual: body.includes(maxTokens) ? "sent" : "not sent",
      });
    }
  },
};
