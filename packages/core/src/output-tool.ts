import type { Adapter, OutputSpec, ToolSpec, TurnRequest } from "./contract/adapter.ts";

/** The name of the tool that takes the object, if the provider has no format for it. */
export const outputToolName = "final_output";

/** A tool whose input is the object that was asked for. */
export const outputTool = (schema: ToolSpec["inputSchema"]): ToolSpec => ({
  name: outputToolName,
  description:
    "Give your final answer as the input of this tool. Call it once, when everything else is done, and call nothing beside it.",
  inputSchema: schema,
});

/**
 * Whether the adapter sends an `output` of this schema in its provider's format, in a request with
 * these tools. Otherwise ask for the object with `outputTool`.
 */
export function sendsOutputFormat(
  { outputFormat, formatTakes }: Pick<Adapter, "outputFormat" | "formatTakes">,
  tools: TurnRequest["tools"] = [],
  schema?: OutputSpec["schema"],
): boolean {
  if (outputFormat === undefined) return false;
  if (outputFormat === "without-tools" && tools.length > 0) return false;
  return schema === undefined || formatTakes === undefined || formatTakes(schema);
}

/** The request without an `output` that its provider's format cannot take. */
export const withSentOutput = (adapter: Adapter, request: TurnRequest): TurnRequest =>
  request.output === undefined || sendsOutputFormat(adapter, request.tools, request.output.schema)
    ? request
    : { ...request, output: undefined };
