import { openaiChatWire } from "@fullstop/conformance/wires/openai-chat";
import { openaiChat } from "@fullstop/provider-openai";
import OpenAI from "openai";
import { apiKey, type BenchWire, lengthOf, model } from "../wire.ts";

export const chatBench: BenchWire = {
  wire: openaiChatWire,
  adapter: (endpoint) => openaiChat(model, endpoint),
  characters(event) {
    const { choices } = event as OpenAI.ChatCompletionChunk;
    const delta = choices?.[0]?.delta;
    return lengthOf(delta?.content) + lengthOf(delta?.tool_calls?.[0]?.function?.arguments);
  },
  vendor(baseURL) {
    const client = new OpenAI({ baseURL, apiKey, maxRetries: 0, logLevel: "off" });
    return {
      events: async (body) =>
        client.chat.completions.create({
          ...(body as unknown as OpenAI.ChatCompletionCreateParams),
          stream: true,
        }),
      async helper(body) {
        const stream = client.chat.completions.stream(
          body as unknown as Parameters<typeof client.chat.completions.stream>[0],
        );
        const message = (await stream.finalChatCompletion()).choices[0]?.message;
        const [call] = message?.tool_calls ?? [];
        return (
          lengthOf(message?.content) +
          (call?.type === "function" ? call.function.arguments.length : 0)
        );
      },
    };
  },
};
