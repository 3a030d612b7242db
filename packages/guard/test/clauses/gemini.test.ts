import { conform } from "@fullstop/conformance/vitest";
import { isFull } from "@tooling/test/full";
import { sampled } from "@tooling/test/sample";
import { families, geminiSubject, sample, sockets, vertexSubject } from "./subjects.ts";

conform(sampled(geminiSubject), { only: families, sample, sockets });

/** Only the addresses of Vertex AI differ. */
const { fixtures: _, ...bare } = vertexSubject.wire;
const only = isFull ? undefined : ["guard", "stop.whole"];
conform({ ...vertexSubject, wire: bare }, { only, sample, sockets: false });
