import { conform } from "@fullstop/conformance/vitest";
import { dialectSubjects } from "./subjects.ts";

// The wire of Chat is tried at more places by itself: a dialect differs in its facts.
for (const subject of dialectSubjects) conform(subject, { sample: 2, sockets: false });
