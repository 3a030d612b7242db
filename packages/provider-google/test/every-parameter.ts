import type { GoogleOptions } from "@fullstop/provider-google";
import { ServiceTier, ThinkingLevel } from "@google/genai";

/** One value for each parameter. A model may refuse some of them, or two together. */
export const options: GoogleOptions = {
  headers: { "x-trace": "42" },
  params: {
    temperature: 0.2,
    topP: 0.9,
    topK: 40,
    seed: 7,
    stopSequences: ["END"],
    serviceTier: ServiceTier.FLEX,
    thinkingConfig: { thinkingLevel: ThinkingLevel.LOW, includeThoughts: true },
    cachedContent: "cachedContents/abc",
  },
};
/** Only Vertex AI has labels. */
export const vertexParams: GoogleOptions["params"] = { labels: { team: "docs" } };
