import type { AdapterSubject } from "@fullstop/conformance";
import { conform } from "@fullstop/conformance/vitest";
import { openaiChatWire } from "@fullstop/conformance/wires/openai-chat";
import { openaiChat } from "@fullstop/provider-openai";
import { isFull } from "@tooling/test/full";
import { cutAnywhere, everyByte, places, sampled } from "@tooling/test/sample";

const subject: AdapterSubject = {
  wire: openaiChatWire,
  adapter: (endpoint) => openaiChat("gpt-5.2", { apiKey: "key", ...endpoint }),
  wholeAdapter: (endpoint) => openaiChat("gpt-5.2", { apiKey: "key", stream: false, ...endpoint }),
};
conform(sampled(subject), { sample: places() });

if (isFull) conform(everyByte(subject), cutAnywhere);
