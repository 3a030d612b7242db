import type { Adapter, Effort } from "@fullstop/core";

export interface ModelRules {
  /** Without it no cap is sent, and the API uses the model's own. */
  readonly ceiling?: number;
  readonly outputFormat?: Adapter["outputFormat"];
  /** Where cache points may be. */
  readonly cachePoints?: readonly ("system" | "tools" | "messages")[];
  /** The result of a tool has a status, and may hold images and documents. */
  readonly richResults?: true;
  /** The result of a tool is an object instead of a text. */
  readonly jsonResults?: true;
  /** Text cannot stand beside calls in a message, nor beside their results. */
  readonly separateCalls?: true;
  /** At the top of the schema of a tool, only `type`, `properties` and `required`. */
  readonly plainSchemas?: true;
  /** A tool can be forced. Other models refuse `any` or `tool` as the choice. */
  readonly forcesTools?: true;
  readonly thinking?: ThinkingRule;
}

export interface ThinkingParams {
  /** A part of `additionalModelRequestFields`. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** `outputConfig.effort` */
  readonly effort?: string;
}
/** `cap`: the output cap of the request, if one is sent. Thinking counts against it. */
type ThinkingRule = (effort: Effort, cap: number | undefined) => ThinkingParams;

/**
 * Claude 4.6 and later think adaptively. Not all of them accept that thinking is switched off: the
 * least is a low effort without a thinking parameter.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-adaptive-thinking.html
 */
const adaptive: ThinkingRule = (effort) =>
  effort === "none" ? { effort: "low" } : { fields: { thinking: { type: "adaptive" } }, effort };

/** In tokens. */
const budgets: Readonly<Record<Exclude<Effort, "none">, number>> = {
  low: 2048,
  medium: 8192,
  high: 16_384,
};
const minimumBudget = 1024;

/**
 * A budget of at least 1,024 tokens and below the cap.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-extended-thinking.html
 */
const budgeted: ThinkingRule = (effort, cap = Number.POSITIVE_INFINITY) => {
  if (effort === "none") return {};
  const budget = Math.min(budgets[effort], Math.floor(cap / 2));
  return budget < minimumBudget
    ? {}
    : { fields: { thinking: { type: "enabled", budget_tokens: budget } } };
};

/**
 * Thinking is off by default. A high effort is refused together with a cap.
 * https://docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html
 */
const novaThinking: ThinkingRule = (effort, cap) => {
  if (effort === "none") return {};
  const maxReasoningEffort = effort === "high" && cap !== undefined ? "medium" : effort;
  return { fields: { reasoningConfig: { type: "enabled", maxReasoningEffort } } };
};

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-openai.html */
const reasoningEffort: ThinkingRule = (effort) => ({
  fields: { reasoning_effort: effort === "none" ? "low" : effort },
});

const everywhere = ["system", "tools", "messages"] as const;
const early: ModelRules = { richResults: true, forcesTools: true };
const claude: ModelRules = { ...early, cachePoints: everywhere };
const structured: ModelRules = { ...claude, outputFormat: "always" };
/** These refuse every forced tool. */
const unforced: ModelRules = {
  richResults: true,
  cachePoints: everywhere,
  outputFormat: "always",
  ceiling: 128_000,
  thinking: adaptive,
};
const nova: ModelRules = {
  richResults: true,
  forcesTools: true,
  plainSchemas: true,
  cachePoints: ["system", "messages"],
};

/**
 * The first pattern that matches the name counts. The name of an inference profile or of a
 * provisioned model does not tell the model.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference-supported-models-features.html,
 * https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html,
 * https://docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html
 */
const rules: readonly (readonly [RegExp, ModelRules])[] = [
  [/claude-(instant|v2)/, {}],
  [/claude-3-5-sonnet-20240620/, { ...early, ceiling: 8192 }],
  [/claude-3-5/, { ...claude, ceiling: 8192 }],
  [/claude-3-7/, { ...claude, ceiling: 64_000, thinking: budgeted }],
  [/claude-3-/, { ...early, ceiling: 4096 }],
  [/claude-opus-4-(1|2025)/, { ...claude, ceiling: 32_000, thinking: budgeted }],
  [/claude-sonnet-4-2025/, { ...claude, ceiling: 64_000, thinking: budgeted }],
  [/claude-[a-z]+-4-5/, { ...structured, ceiling: 64_000, thinking: budgeted }],
  [/claude-[a-z]+-4-/, { ...structured, ceiling: 64_000, thinking: adaptive }],
  [/claude-(fable|mythos|(opus|sonnet)-5-5)/, unforced],
  [/claude/, { ...structured, ceiling: 128_000, thinking: adaptive }],
  [/nova-2/, { ...nova, thinking: novaThinking }],
  [/amazon\.nova/, nova],
  [/openai\.gpt-oss/, { outputFormat: "without-tools", thinking: reasoningEffort }],
  [/moonshot/, { outputFormat: "without-tools" }],
  [/mistral/, { jsonResults: true }],
  [/meta\.llama/, { separateCalls: true }],
];

export const rulesOf = (model: string): ModelRules =>
  rules.find(([pattern]) => pattern.test(model))?.[1] ?? {};
