import { conform } from "@fullstop/conformance/vitest";
import { isFull } from "@tooling/test/full";
import { sampled } from "@tooling/test/sample";
import { responsesSubject, sample } from "./subjects.ts";

/**
 * The sockets are those of the other protocols. The provider's own tests ask the other families, and
 * `test:all` asks them here too.
 */
if (isFull) conform(responsesSubject, { sample, sockets: false });
else
  for (const only of ["guard", "stop", "call"])
    conform(sampled(responsesSubject), { only, sample, sockets: false });
