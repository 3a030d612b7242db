import type { AdapterSubject } from "@fullstop/conformance";
import { conform } from "@fullstop/conformance/vitest";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import { anthropic } from "@fullstop/provider-anthropic";
import { isFull } from "@tooling/test/full";
import { cutAnywhere, everyByte, places, sampled } from "@tooling/test/sample";

const subject: AdapterSubject = {
  wire: anthropicWire,
  adapter: (endpoint) => anthropic("claude-sonnet-5-5", { apiKey: "key", ...endpoint }),
  wholeAdapter: (endpoint) =>
    anthropic("claude-sonnet-5-5", { apiKey: "key", stream: false, ...endpoint }),
};
conform(sampled(subject), { sample: places() });

if (isFull) conform(everyByte(subject), cutAnywhere);
