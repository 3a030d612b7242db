import { conform } from "@fullstop/conformance/vitest";
import { anthropicSubject, sample } from "./subjects.ts";

conform(anthropicSubject, { sample });
