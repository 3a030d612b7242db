import type { Dialect, DialectName } from "./dialect.ts";

type RouterName = Extract<
  DialectName,
  | "baseten"
  | "cloudflare"
  | "huggingface"
  | "minimax"
  | "opencode"
  | "snowflake"
  | "vercel"
  | "xiaomi"
>;

/**
 * Hosts that pass a request on to the servers of many models. How reasoning is counted, and whether
 * a schema is taken, depends on the model, so their rows do not say it.
 */
export const routers: Readonly<Record<RouterName, Dialect>> = {
  /** https://docs.baseten.co/reference/inference-api/chat-completions */
  baseten: {
    baseURL: "https://inference.baseten.co/v1",
    keyVariable: "BASETEN_API_KEY",
  },
  /**
   * `baseURL` has the account: `https://api.cloudflare.com/client/v4/accounts/<account>/ai/v1` for
   * Workers AI (https://developers.cloudflare.com/workers-ai/configuration/open-ai-compatibility),
   * `https://gateway.ai.cloudflare.com/v1/<account>/<gateway>/compat` for AI Gateway
   * (https://developers.cloudflare.com/ai-gateway/chat-completion). A number comes as a number in
   * `content`, and a reply ends several times (decolua/9router#1645). Some models write their calls as
   * text (cloudflare/ai#192).
   */
  cloudflare: { keyVariable: "CLOUDFLARE_API_KEY" },
  /** https://huggingface.co/docs/inference-providers */
  huggingface: {
    baseURL: "https://router.huggingface.co/v1",
    keyVariable: "HF_TOKEN",
  },
  /**
   * https://platform.minimax.io/docs/api-reference/text-openai-api: most models think in the text,
   * inside `<think>`. Over Messages thinking is apart. An empty account gets the status 429
   * (modelscope#1691), or 200 and a code of https://platform.minimax.io/docs/api-reference/errorcode
   */
  minimax: {
    baseURL: "https://api.minimax.io/v1",
    keyVariable: "MINIMAX_API_KEY",
    errors: {
      insufficient_balance_error: "billing",
      unprocessable_entity_error: "invalid-request",
      "1002": "rate-limit",
      "1004": "auth",
      "1008": "billing",
      "1026": "filtered",
      "1027": "filtered",
      "2056": "billing",
    },
  },
  /**
   * https://opencode.ai/docs/zen: models of OpenAI over Responses, and Claude over Messages. A lost
   * connection to a model becomes a stop reason (anomalyco/opencode#44641).
   */
  opencode: {
    baseURL: "https://opencode.ai/zen/v1",
    keyVariable: "OPENCODE_API_KEY",
  },
  /**
   * `baseURL` has the account: `https://<account>.snowflakecomputing.com/api/v2/cortex/v1`
   * (https://docs.snowflake.com/en/user-guide/snowflake-cortex/open_ai_sdk). The host ignores
   * `max_tokens`, and ends a reply at 4,096 tokens (langchain-ai/langchain-snowflake#132).
   */
  snowflake: {
    keyVariable: "SNOWFLAKE_PAT",
    capName: "max_completion_tokens",
  },
  /** https://vercel.com/docs/ai-gateway/sdks-and-apis/openai-chat-completions */
  vercel: {
    baseURL: "https://ai-gateway.vercel.sh/v1",
    keyVariable: "AI_GATEWAY_API_KEY",
  },
  /**
   * Reasoning must go back while the model calls tools (decolua/9router#1210):
   * https://platform.xiaomimimo.com/docs/en-US/usage-guide/passing-back-reasoning_content. `content`
   * must be a text also beside calls (XiaomiMiMo/MiMo-V2-Flash#8).
   */
  xiaomi: {
    baseURL: "https://api.xiaomimimo.com/v1",
    keyVariable: "MIMO_API_KEY",
    reasoning: "reasoning_content",
    contentNeeded: true,
  },
};
