import { conform } from "@fullstop/conformance/vitest";
import { isFull } from "@tooling/test/full";
import { cutAnywhere, everyByte, places, sampled } from "@tooling/test/sample";
import subject from "./subject.ts";

conform(sampled(subject), { sample: places() });

if (isFull) conform(everyByte(subject, 1), cutAnywhere);
