import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";
import { openai } from "@fullstop/provider-openai";
import OpenAI from "openai";
import { apiKey, type BenchWire, lengthOf, model } from "../wire.ts";

const deltas: ReadonlySet<string> = new Set([
  "response.output_text.delta",
  "response.function_call_arguments.delta",
]);

export const responsesBench: BenchWire = {
  wire: openaiResponsesWire,
  adapter: (endpoint) => openai(model, endpoint),
  characters(event) {
    const { type, delta } = event as { readonly type: string; readonly delta?: unknown };
    return deltas.has(type) ? lengthOf(delta) : 0;
  },
  vendor(baseURL) {
    const client = new OpenAI({ baseURL, apiKey, maxRetries: 0, logLevel: "off" });
    return {
      events: async (body) =>
        client.responses.create({
          ...(body as OpenAI.Responses.ResponseCreateParams),
          stream: true,
        }),
      async helper(body) {
        const stream = client.responses.stream(
          body as Parameters<typeof client.responses.stream>[0],
        );
        const { output, output_text } = await stream.finalResponse();
        return (
          output_text.length +
          output.reduce(
            (sum, item) => sum + (item.type === "function_call" ? item.arguments.length : 0),
            0,
          )
        );
      },
    };
  },
};
