import { conform } from "@fullstop/conformance/vitest";
import { sampled } from "@tooling/test/sample";
import { responsesSubject, sample } from "./subjects.ts";

/** The sockets are those of the other protocols. */
conform(sampled(responsesSubject), { sample, sockets: false });
