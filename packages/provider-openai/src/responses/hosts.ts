import type { OutputFormat } from "@fullstop/core/adapter";

export interface HostRules {
  /** Custom tools, and items of types that OpenAI does not define, are steps of the host itself. */
  readonly runsCustomTools: boolean;
  /** `"pass"`: an item of an unknown type needs no answer, so the reply ends as the host says. */
  readonly unknownItems?: "pass" | undefined;
  /** When the host takes a schema in `text.format`, if that differs from OpenAI. */
  readonly outputFormat?: OutputFormat | undefined;
  /** `"unknown"`: an output above the cap proves nothing if reasoning explains it. */
  readonly capsReasoning?: "unknown" | undefined;
  /** `"string"`: the host refuses text of the model as a part without an id. Citations are lost. */
  readonly assistantText?: "string" | undefined;
}
export const openaiRules: HostRules = { runsCustomTools: false };

const rulesByHostname: Readonly<Record<string, HostRules>> = {
  /**
   * Tools that the request defines come as functions; `x_search` comes as `custom_tool_call`
   * (vercel/ai#9896). https://docs.x.ai/developers/tools/overview. Only later models take a schema
   * beside tools: https://docs.x.ai/docs/guides/structured-outputs. With a cap of 16 a reply came
   * `completed`, with 198 tokens of reasoning and one of text (the recording of vercel/ai#17936). The
   * cap of an earlier model included reasoning (evalstate/fast-agent#276).
   */
  "api.x.ai": { runsCustomTools: true, outputFormat: "without-tools", capsReasoning: "unknown" },
  /**
   * The `id` and the `status` of such a message are required (CherryHQ/cherry-studio#10477):
   * https://openrouter.ai/docs/api/reference/responses/basic-usage. The router passes the cap on to
   * hosts of every kind.
   */
  "openrouter.ai": {
    runsCustomTools: false,
    assistantText: "string",
    capsReasoning: "unknown",
  },
};

/**
 * The rules of the host in a URL. A region has a name before it: `eu.openrouter.ai`, `us.api.x.ai`.
 * https://openrouter.ai/docs/guides/features/in-region-routing
 * https://docs.x.ai/developers/advanced-api-usage/regions
 */
export function hostRulesOf(address: unknown): HostRules {
  const url = String(address);
  const hostname = URL.canParse(url) ? new URL(url).hostname : "";
  const known = Object.entries(rulesByHostname).find(([name]) =>
    `.${hostname}`.endsWith(`.${name}`),
  );
  return known?.[1] ?? openaiRules;
}
