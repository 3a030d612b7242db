import type { ModelRoutes } from "../wire.ts";

/** 2025-01-01, in seconds. */
const created = 1_735_689_600;
const contextTokens = 1_048_576;
const maxOutput = 65_536;

const openaiModel = (id: string): object => ({
  id,
  object: "model",
  created,
  owned_by: "conformance",
});

/** https://developers.openai.com/api/reference/resources/models */
export const openaiModels: ModelRoutes = {
  isAsked: ({ path, headers }) =>
    path.includes("/openai/") ||
    (!asksAnthropic(headers) && !asksGemini(headers) && !path.includes("/v1beta/")),
  one: openaiModel,
  list: () => ({ object: "list", data: [openaiModel("gpt-5.5")] }),
};

const anthropicModel = (id: string): object => ({
  type: "model",
  id,
  display_name: id,
  capabilities: null,
  created_at: "2025-01-01T00:00:00Z",
  deprecated_at: null,
  lifecycle: "active",
  max_input_tokens: contextTokens,
  max_tokens: maxOutput,
});
const asksAnthropic = (headers: Readonly<Record<string, string>>): boolean =>
  headers["anthropic-version"] !== undefined || headers["x-api-key"] !== undefined;

/** https://platform.claude.com/docs/en/api/models */
export const anthropicModels: ModelRoutes = {
  isAsked: ({ headers }) => asksAnthropic(headers),
  one: anthropicModel,
  list: () => {
    const id = "claude-sonnet-5-5";
    return { data: [anthropicModel(id)], has_more: false, first_id: id, last_id: id };
  },
};

const geminiModel = (name: string): object => ({
  name: `models/${name}`,
  version: "001",
  displayName: name,
  description: name,
  inputTokenLimit: contextTokens,
  outputTokenLimit: maxOutput,
  supportedGenerationMethods: ["generateContent", "streamGenerateContent", "countTokens"],
});
const asksGemini = (headers: Readonly<Record<string, string>>): boolean =>
  headers["x-goog-api-key"] !== undefined || headers["x-goog-api-client"] !== undefined;

/** https://ai.google.dev/api/models */
export const geminiModels: ModelRoutes = {
  isAsked: ({ path, headers }) =>
    !path.includes("/openai/") && (path.includes("/v1beta/") || asksGemini(headers)),
  one: geminiModel,
  list: () => ({ models: [geminiModel("gemini-3.1-pro")] }),
};
