import { ollama } from "@fullstop/provider-ollama";
import { type ChatRequest, type ChatResponse, Ollama } from "ollama";
// @boundaries-ignore only the tests of this provider have its wire
import { wire } from "../../../../packages/provider-ollama/test/wire.ts";
import { type BenchWire, lengthOf, model } from "../wire.ts";

/** Arguments come complete in one line. The SDK has no helper. */
export const ollamaBench: BenchWire = {
  wire,
  adapter: (endpoint) => ollama(model, endpoint),
  characters(event) {
    const { message } = event as Partial<ChatResponse>;
    const [call] = message?.tool_calls ?? [];
    return lengthOf(message?.content) + (call ? JSON.stringify(call.function.arguments).length : 0);
  },
  vendor(baseURL) {
    const client = new Ollama({ host: baseURL });
    return {
      events: (body) => client.chat({ ...(body as unknown as ChatRequest), stream: true as const }),
    };
  },
};
