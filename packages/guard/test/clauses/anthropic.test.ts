import { conform } from "@fullstop/conformance/vitest";
import { isFull } from "@tooling/test/full";
import { sampled } from "@tooling/test/sample";
import { anthropicSubject, families, sample } from "./subjects.ts";

/** What a broken socket does to a guard is asked of one protocol. */
const asked = isFull ? families : [...families, "wire.reset", "wire.stall"];

for (const only of asked) conform(sampled(anthropicSubject), { only, sample });
