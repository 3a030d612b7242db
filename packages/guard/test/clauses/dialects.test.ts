import { conform } from "@fullstop/conformance/vitest";
// @boundaries-ignore the hosts of the dialects
import { differingReplies } from "../../../provider-openai-compatible/test/differing.ts";
import { dialectSubjects, sample } from "./subjects.ts";

/**
 * The families in which a dialect can differ. The others depend on the connection and on requests,
 * which `chat.test.ts` asks.
 */
const families = ["guard", "stop", "call", "turn"];

/** What is asked of a host that differs from others in nothing: whether its own replies are read. */
const ownReplies = ["stop.whole"];

for (const [name, subject] of Object.entries(dialectSubjects))
  for (const only of differingReplies.has(name) ? families : ownReplies)
    conform(subject, { only, sample, sockets: false });
