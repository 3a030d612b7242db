import type { AdapterSubject } from "@fullstop/conformance";
import { conform } from "@fullstop/conformance/vitest";
import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";
import { openai } from "@fullstop/provider-openai";
import { isFull } from "@tooling/test/full";
import { cutAnywhere, everyByte, places, sampled } from "@tooling/test/sample";

const subject: AdapterSubject = {
  wire: openaiResponsesWire,
  adapter: (endpoint) => openai("gpt-5.5", { apiKey: "key", ...endpoint }),
  wholeAdapter: (endpoint) => openai("gpt-5.5", { apiKey: "key", stream: false, ...endpoint }),
  notClaimed: {
    "stop.no-call":
      "the protocol has no native stop reason for calls: `completed` without a call is a finished text",
  },
};
/**
 * Its replies are ten times as long as those of other protocols. The tests of Chat ask the same SDK
 * over sockets.
 */
conform(sampled(subject), { sample: places(40), ...(!isFull && { sockets: false }) });

if (isFull) conform(everyByte(subject), cutAnywhere);
