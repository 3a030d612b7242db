import { conform } from "@fullstop/conformance/vitest";
import { sampled } from "@tooling/test/sample";
import { families, interactionsSubject, sample, sockets } from "./subjects.ts";

conform(sampled(interactionsSubject), { only: families, sample, sockets });
