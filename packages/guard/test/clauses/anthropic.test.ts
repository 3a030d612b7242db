import { conform } from "@fullstop/conformance/vitest";
import { sampled } from "@tooling/test/sample";
import { anthropicSubject, sample } from "./subjects.ts";

conform(sampled(anthropicSubject), { sample });
