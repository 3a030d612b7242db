import { json, render } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { nextMessages, sent } from "../../harness/history.ts";
import { finishedReply } from "../../harness/inputs.ts";
import { lengths } from "../../harness/places.ts";
import { compared, question } from "../../harness/harness.ts";
import { leftOpen } from "../../loop/held.ts";
import { over } from "../../loop/checks.ts";
import { scripts } from "../../loop/scripts.ts";
import { read } from "../../harness/scenarios.ts";

/** Tells the input of the reply from all that the rig itself says. */
const marker = "/only/in/this/input";

export const withheldStaysOut: Clause = {
  id: "request.withheld",
  rule: "What was withheld is not in the next request, unless a result beside it says that it did not run; what ran is.",
  level: "must",
  because: "ms-agent#909: a cut turn was continued with its call in it, and was a 400 from then on",
  run: over(scripts.hazards, ({ script, ran }, { wire, calls }) => {
    const later = ran.requests.slice(script.steps.length).map(({ body }) => json(body));
    const kept =
      ran.ran.length === 0 &&
      later.some((body) => calls.some((call) => leftOpen(wire, body, call)));
    return {
      expected: "not in the request",
      actual: kept ? "in the request" : "not in the request",
    };
  }),
  async *prove(rig) {
    const rendered = render(finishedReply(rig, [{ ...read, input: { path: marker } }]));
    const { bytes, whole } = rendered;
    const cuts = lengths(rendered, { ...rig, exhaustive: false }).filter(
      (length) => length <= whole,
    );
    for (const length of [...cuts, bytes.length]) {
      const turn = await rig.ask(bytes.subarray(0, length));
      const body = await sent(rig, { messages: nextMessages(question.messages, turn) });
      const actual = body.includes(marker) ? "in the request" : "not in the request";
      yield compared(
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
