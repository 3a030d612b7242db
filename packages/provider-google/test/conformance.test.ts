import type { AdapterSubject } from "@fullstop/conformance";
import { conform } from "@fullstop/conformance/vitest";
import { geminiWire } from "@fullstop/conformance/wires/gemini";
import { google } from "@fullstop/provider-google";
import { isFull } from "@tooling/test/full";
import { cutAnywhere, everyByte, places, sampled } from "@tooling/test/sample";

const subject: AdapterSubject = {
  wire: geminiWire,
  adapter: (endpoint) => google("gemini-3.1-pro", { apiKey: "key", ...endpoint }),
  wholeAdapter: (endpoint) =>
    google("gemini-3.1-pro", { apiKey: "key", stream: false, ...endpoint }),
  notClaimed: { "stop.no-call": "STOP ends replies with calls and without" },
};
conform(sampled(subject), { sample: places() });

if (isFull) conform(everyByte(subject), cutAnywhere);
