import { parseJson, render } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { nextMessages, sentBody } from "../../harness/history.ts";
import { finishedReply } from "../../harness/inputs.ts";
import { prefixLengths } from "../../harness/places.ts";
import { withBytes, defaultRequest } from "../../harness/harness.ts";
import { holdsOpenCall } from "../../loop/held.ts";
import { checkRuns } from "../../loop/checks.ts";
import { scripts } from "../../loop/scripts.ts";
import { readCall } from "../../harness/scenarios.ts";

/** Tells the input of the reply from all that the harness itself says. */
const marker = "/only/in/this/input";

export const withheldStaysOut: Clause = {
  id: "request.withheld",
  rule: "What was withheld is not in the next request, unless a result beside it says that it did not run; what ran is.",
  level: "must",
  because: "ms-agent#909: a cut turn was continued with its call in it, and was a 400 from then on",
  run: checkRuns(scripts.hazards, ({ script, ran }, { wire, calls }) => {
    const later = ran.requests.slice(script.steps.length).map(({ body }) => parseJson(body));
    const kept =
      ran.ran.length === 0 &&
      later.some((body) => calls.some((call) => holdsOpenCall(wire, body, call)));
    return {
      expected: "not in the request",
      actual: kept ? "in the request" : "not in the request",
    };
  }),
  async *check(harness) {
    const rendered = render(finishedReply(harness, [{ ...readCall, input: { path: marker } }]));
    const { bytes, completeLength: whole } = rendered;
    const cuts = prefixLengths(rendered, { ...harness, exhaustive: false }).filter(
      (length) => length <= whole,
    );
    for (const length of [...cuts, bytes.length]) {
      const turn = await harness.ask(bytes.subarray(0, length));
      const body = await sentBody(harness, {
        messages: nextMessages(defaultRequest.messages, turn),
      });
      const actual = body.includes(marker) ? "in the request" : "not in the request";
      yield withBytes(
        {
          at: `a call, ${length} of ${whole} bytes`,
          expected: length < whole ? "not in the request" : "in the request",
          actual,
        },
        bytes.subarray(0, length),
      );
    }
  },
};
