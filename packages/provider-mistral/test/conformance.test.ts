import { conform } from "@fullstop/conformance/vitest";
import { places, sampled } from "@tooling/test/sample";
import subject from "./subject.ts";

conform(sampled(subject), { sample: places() });
