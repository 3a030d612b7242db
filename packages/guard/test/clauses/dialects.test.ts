import { conform } from "@fullstop/conformance/vitest";
import { dialectSubjects, sample } from "./subjects.ts";

/**
 * The families in which a dialect can differ. The others depend on the connection and on requests,
 * which `chat.test.ts` asks.
 */
const families = ["guard", "stop", "call", "turn"];

for (const subject of dialectSubjects)
  for (const only of families) conform(subject, { only, sample, sockets: false });
