import { conform } from "@fullstop/conformance/vitest";
import { sampled } from "@tooling/test/sample";
import { anthropicSubject, families, sample } from "./subjects.ts";

/** Also over sockets. */
const only = families && [...families, "stop.abort", "wire.reset", "wire.stall"];

conform(sampled(anthropicSubject), { only, sample });
