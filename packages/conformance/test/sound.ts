// @boundaries-ignore the adapters stand on this package
import { openai, openaiChat } from "../../provider-openai/src/index.ts";
import type { AdapterSubject } from "../src/index.ts";
import { openaiChatWire } from "../src/wires/openai-chat/index.ts";
import { openaiResponsesWire } from "../src/wires/openai-responses/index.ts";
import acme from "./acme.ts";
import { guarded } from "./guarded.ts";

const { guard: _, ...anthropic } = guarded;

/** Adapters that keep every clause. The first one is small, and its protocol lacks some replies. */
export const sound: readonly AdapterSubject[] = [
  acme,
  anthropic,
  {
    wire: openaiResponsesWire,
    adapter: (endpoint) => openai("gpt-5.5", { apiKey: "key", ...endpoint }),
    wholeAdapter: (endpoint) => openai("gpt-5.5", { apiKey: "key", stream: false, ...endpoint }),
  },
  {
    wire: openaiChatWire,
    adapter: (endpoint) => openaiChat("gpt-5.2", { apiKey: "key", ...endpoint }),
    wholeAdapter: (endpoint) =>
      openaiChat("gpt-5.2", { apiKey: "key", stream: false, ...endpoint }),
  },
];
