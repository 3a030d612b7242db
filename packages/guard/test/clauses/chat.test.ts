import { conform } from "@fullstop/conformance/vitest";
import { sampled } from "@tooling/test/sample";
import { chatSubject, sample } from "./subjects.ts";

// Without sockets: the address of the subject is that of OpenAI.
conform(sampled(chatSubject), { sample, sockets: false });
