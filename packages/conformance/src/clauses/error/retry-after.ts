import { utf8 } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { withBytes } from "../../harness/harness.ts";

export const retryAfter: Clause = {
  id: "error.retry-after",
  rule: "The time that a provider asks to wait is told in milliseconds, and the request is not repeated behind the caller's back.",
  level: "must",
  because:
    "https://www.npmjs.com/package/@anthropic-ai/sdk 1.12 sleeps a retry-after of any length by itself",
  async *check(harness) {
    for (const [status, value, ms] of [
      [429, "7", 7000],
      [429, "0", 0],
      [503, "90", 90_000],
      [529, "1.5", 1500],
    ] as const) {
      const headers = { "content-type": "application/json", "retry-after": value };
      const before = harness.host.count();
      const turn = await harness.ask({
        status,
        headers,
        chunks: [utf8('{"error":{"message":"Later."}}')],
      });
      const wait = "error" in turn ? turn.error.retryAfterMs : undefined;
      yield withBytes({
        at: `status ${status}, retry-after: ${value}`,
        expected: `wait ${ms} ms, 1 request`,
        actual: `wait ${wait} ms, ${harness.host.count() - before} request`,
      });
    }
  },
};
