import type { AdapterSubject } from "@fullstop/conformance";
import { conform } from "@fullstop/conformance/vitest";
import { interactionsWire } from "@fullstop/conformance/wires/gemini-interactions";
import { googleInteractions } from "@fullstop/provider-google";
import { isFull } from "@tooling/test/full";
import { cutAnywhere, everyByte, places, sampled } from "@tooling/test/sample";

const subject: AdapterSubject = {
  wire: interactionsWire,
  adapter: (endpoint) => googleInteractions("gemini-3.8-flash", { apiKey: "key", ...endpoint }),
  wholeAdapter: (endpoint) =>
    googleInteractions("gemini-3.8-flash", { apiKey: "key", stream: false, ...endpoint }),
};
conform(sampled(subject), { sample: places() });

if (isFull) conform(everyByte(subject), cutAnywhere);
