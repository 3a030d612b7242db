import { conform } from "@fullstop/conformance/vitest";
import { responsesSubject, sample } from "./subjects.ts";

conform(responsesSubject, { sample });
