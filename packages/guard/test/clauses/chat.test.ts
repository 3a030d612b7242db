import { conform } from "@fullstop/conformance/vitest";
import { sampled } from "@tooling/test/sample";
import { chatSubject, sample } from "./subjects.ts";

conform(sampled(chatSubject), { sample, sockets: false });
