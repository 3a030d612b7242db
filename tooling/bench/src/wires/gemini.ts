import { geminiWire } from "@fullstop/conformance/wires/gemini";
import { google } from "@fullstop/provider-google";
import { type GenerateContentResponse, GoogleGenAI } from "@google/genai";
import { apiKey, type BenchWire, lengthOf, model } from "../wire.ts";

/** Arguments come complete in one event. The SDK has no helper. */
export const geminiBench: BenchWire = {
  wire: geminiWire,
  adapter: (endpoint) => google(model, endpoint),
  characters(event) {
    const { candidates } = event as Partial<GenerateContentResponse>;
    const { text, functionCall } = candidates?.[0]?.content?.parts?.[0] ?? {};
    return lengthOf(text) + (functionCall ? JSON.stringify(functionCall.args).length : 0);
  },
  vendor(baseURL) {
    const client = new GoogleGenAI({ vertexai: false, apiKey, httpOptions: { baseUrl: baseURL } });
    return {
      events: ({ contents, generationConfig }) =>
        client.models.generateContentStream({
          model,
          contents: contents as [],
          config: generationConfig as object,
        }),
    };
  },
};
