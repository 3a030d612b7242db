import type { BedrockOptions } from "@fullstop/provider-bedrock";

/** One value for each parameter. A model may refuse some of them, or two together. */
export const options: BedrockOptions = {
  headers: { "x-trace": "42" },
  params: {
    inferenceConfig: { temperature: 0.2, topP: 0.9, stopSequences: ["END"] },
    additionalModelRequestFields: { top_k: 40, seed: 7 },
    additionalModelResponseFieldPaths: ["/stop_sequence"],
    guardrailConfig: {
      guardrailIdentifier: "gr-1",
      guardrailVersion: "1",
      trace: "enabled",
      streamProcessingMode: "sync",
    },
    outputConfig: { effort: "low" },
    performanceConfig: { latency: "optimized" },
    promptVariables: { city: { text: "Zurich" } },
    requestMetadata: { team: "docs" },
    serviceTier: { type: "flex" },
  },
};
