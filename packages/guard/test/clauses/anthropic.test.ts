import { conform } from "@fullstop/conformance/vitest";
import { isFull } from "@tooling/test/full";
import { sampled } from "@tooling/test/sample";
import { anthropicSubject, families, sample } from "./subjects.ts";

/** Also over sockets. */
const asked = isFull ? families : [...families, "stop.abort", "wire.reset", "wire.stall"];

for (const only of asked) conform(sampled(anthropicSubject), { only, sample });
