import { conform } from "@fullstop/conformance/vitest";
import { geminiSubject, sample, vertexSubject } from "./subjects.ts";

conform(geminiSubject, { sample });

const { fixtures: _, ...bare } = vertexSubject.wire;
conform({ ...vertexSubject, wire: bare }, { sample, sockets: false });
