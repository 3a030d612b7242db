import type { LanguageModelV4CallOptions, SharedV4Warning } from "@ai-sdk/provider";
import type { Adapter, Effort, ToolSpec, TurnRequest } from "@fullstop/core";
import { outputTool, outputToolName, sendsOutputFormat } from "@fullstop/core/adapter";
import { readPrompt } from "./prompt.ts";

const efforts: Readonly<
  Record<NonNullable<LanguageModelV4CallOptions["reasoning"]>, Effort | undefined>
> = {
  "provider-default": undefined,
  none: "none",
  minimal: "low",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "high",
  max: "high",
};

/** Parameters of providers. They belong to the adapter. */
const settings = [
  "temperature",
  "topP",
  "topK",
  "presencePenalty",
  "frequencyPenalty",
  "seed",
  "stopSequences",
] as const;
const details = "Set it as an option of the adapter, in `params`.";

/** A request for an adapter, and what it leaves out. */
interface ReadRequest {
  readonly request: TurnRequest;
  readonly warnings: SharedV4Warning[];
}

export function readOptions(options: LanguageModelV4CallOptions, adapter: Adapter): ReadRequest {
  const { prompt, maxOutputTokens, reasoning, responseFormat, tools = [] } = options;
  const warnings = settings
    .filter((name) => options[name] !== undefined)
    .map((feature): SharedV4Warning => ({ type: "unsupported", feature, details }));
  warnings.push(...unsent(options));
  const specs = tools.flatMap((tool): ToolSpec[] => {
    if (tool.type === "provider") {
      warnings.push({ type: "unsupported", feature: `the tool ${tool.id}` });
      return [];
    }
    const { name, description = "", inputSchema } = tool;
    return [{ name, description, inputSchema: { ...inputSchema } }];
  });
  const schema = responseFormat?.type === "json" ? responseFormat.schema : undefined;
  if (responseFormat?.type === "json" && schema === undefined)
    warnings.push({ type: "unsupported", feature: "JSON without a schema" });
  const effort = reasoning && efforts[reasoning];
  return {
    request: {
      ...readPrompt(prompt, adapter.provider),
      ...(maxOutputTokens !== undefined && { maxTokens: maxOutputTokens }),
      ...(effort && { effort }),
      ...askedFor(specs, options.toolChoice, schema && { ...schema }, adapter),
    },
    warnings,
  };
}

/** What belongs to the adapter, which sends the same with each request. */
function unsent({
  headers = {},
  providerOptions = {},
}: LanguageModelV4CallOptions): readonly SharedV4Warning[] {
  // AI SDK adds its own name to each request.
  const names = Object.keys(headers).filter((name) => name.toLowerCase() !== "user-agent");
  return [
    ...names.map(
      (name): SharedV4Warning => ({
        type: "unsupported",
        feature: `the header ${name}`,
        details: "Give the adapter a `fetch` or a client that sets it.",
      }),
    ),
    ...Object.keys(providerOptions).map(
      (name): SharedV4Warning => ({
        type: "unsupported",
        feature: `providerOptions.${name}`,
        details,
      }),
    ),
  ];
}

/** The tools, and the object if one is asked for: in the provider's format, or as a tool. */
function askedFor(
  tools: readonly ToolSpec[],
  choice: LanguageModelV4CallOptions["toolChoice"],
  schema: Readonly<Record<string, unknown>> | undefined,
  adapter: Adapter,
): Pick<TurnRequest, "tools" | "toolChoice" | "output"> {
  const toolChoice = choice && (choice.type === "tool" ? { name: choice.toolName } : choice.type);
  const asked = {
    ...(tools.length > 0 && { tools }),
    ...(tools.length > 0 && toolChoice && { toolChoice }),
  };
  if (schema === undefined) return asked;
  if (sendsOutputFormat(adapter, tools, schema)) return { ...asked, output: { schema } };
  return {
    tools: [...tools, outputTool(schema)],
    toolChoice: tools.length === 0 ? { name: outputToolName } : "required",
  };
}
