import { conform } from "@fullstop/conformance/vitest";
import { sampled } from "@tooling/test/sample";
import { families, interactionsSubject, sample, sockets } from "./subjects.ts";

for (const only of families) conform(sampled(interactionsSubject), { only, sample, sockets });
