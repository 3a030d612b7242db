import { conform } from "@fullstop/conformance/vitest";
import subject from "./subject.ts";

conform(subject);
