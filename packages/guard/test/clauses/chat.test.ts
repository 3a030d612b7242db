import { conform } from "@fullstop/conformance/vitest";
import { chatSubject, sample } from "./subjects.ts";

conform(chatSubject, { sample, sockets: false });
