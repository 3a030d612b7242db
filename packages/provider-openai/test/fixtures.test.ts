import { replays } from "@fullstop/conformance/vitest";
import { openaiChatWire } from "@fullstop/conformance/wires/openai-chat";
import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";
import { openai, openaiChat } from "@fullstop/provider-openai";
import { places } from "@tooling/test/sample";

const sample = places();

replays(
  {
    wire: openaiChatWire,
    adapter: (endpoint) => openaiChat("gpt-5.2", { apiKey: "key", ...endpoint }),
  },
  { sample },
);
replays(
  {
    wire: openaiResponsesWire,
    adapter: (endpoint) => openai("gpt-5.5", { apiKey: "key", ...endpoint }),
  },
  { sample },
);
