import { conform } from "@fullstop/conformance/vitest";
import { dialectSubjects, sample } from "./subjects.ts";

for (const subject of dialectSubjects) conform(subject, { sample, sockets: false });
