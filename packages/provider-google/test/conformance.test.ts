import { conform } from "@fullstop/conformance/vitest";
import { geminiWire } from "@fullstop/conformance/wires/gemini";
import { google } from "@fullstop/provider-google";

const notClaimed = { "stop.no-call": "STOP ends replies with calls and without" };
conform(
  { wire: geminiWire, adapter: (endpoint) => google("gemini-3.1-pro", { apiKey: "key", ...endpoint }), notClaimed },
  { exhaustive: true },
);
