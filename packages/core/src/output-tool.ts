import type { Adapter, ToolSpec, TurnRequest } from "./contract/adapter.ts";

/** The name of the tool that takes the object, if the provider has no format for it. */
export const outputToolName = "final_output";

/** A tool whose input is the object that was asked for. */
export const outputTool = (schema: ToolSpec["inputSchema"]): ToolSpec => ({
  name: outputToolName,
  description:
    "Give your final answer as the input of this tool. Call it once, when everything else is done, and call nothing beside it.",
  inputSchema: schema,
});

/** Whether the adapter sends `request.output` in a request with these tools. */
export const sendsOutputFormat = (
  { outputFormat }: Pick<Adapter, "outputFormat">,
  tools: TurnRequest["tools"] = [],
): boolean => outputFormat === "always" || (outputFormat === "without-tools" && tools.length === 0);
