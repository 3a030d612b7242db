import { conform } from "@fullstop/conformance/vitest";
import { isFull } from "@tooling/test/full";
// @boundaries-ignore the hosts of the dialects
import { differingFlags } from "../../../provider-openai-compatible/test/differing.ts";
import { dialectSubjects, messagesHostSubjects, sample } from "./subjects.ts";

/**
 * The families in which a dialect can differ. The others depend on the connection and on requests,
 * which `chat.test.ts` asks. The tests of the hosts without the guard ask all but `guard`, so it is
 * the only one that is asked here if the tests do not try everything.
 */
const families = isFull ? ["guard", "stop", "call", "turn"] : ["guard"];

/** What is asked of a host that differs from others in nothing: whether its own replies are read. */
const ownReplies = ["stop.whole"];

for (const [name, subject] of Object.entries(dialectSubjects)) {
  const isDifferent = differingFlags.has(name);
  if (!isDifferent && !isFull) continue;
  conform(subject, { only: isDifferent ? families : ownReplies, sample, sockets: false });
}

for (const subject of messagesHostSubjects)
  conform(subject, { only: families, sample, sockets: false });
