import { conform } from "@fullstop/conformance/vitest";
import { responsesSubject, sample } from "./subjects.ts";

/** The sockets are those of the other protocols. */
conform(responsesSubject, { sample, sockets: false });
