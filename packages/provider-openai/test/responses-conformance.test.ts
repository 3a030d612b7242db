import { conform } from "@fullstop/conformance/vitest";
import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";
import { openai } from "@fullstop/provider-openai";

conform({
  wire: openaiResponsesWire,
  adapter: (endpoint) => openai("gpt-5.5", { apiKey: "key", ...endpoint }),
  notClaimed: {
    "stop.no-call": "the protocol has no word for calls: `completed` without one is a finished text",
    "call.closed": "the whole response closes each call once more; the wire's samples leave it out there",
  },
});
