import type { Adapter, TurnRequest } from "@fullstop/core";
import { outputTool, outputToolName, sendsOutputFormat } from "@fullstop/core/adapter";
import type { OutputConfig } from "../config/output-schema.ts";
import type { RunConfig } from "../config/run-config.ts";
import type { Tool } from "../contract/tool.ts";

/**
 * How a request asks for the object of `output`: in a format of the provider, or as the input of a
 * tool. It belongs to the request: a fallback may need the other one.
 */
export type OutputMode = "format" | "tool";

/** The mode of the next request. Undefined without `output`. */
export const outputModeFor = (
  output: OutputConfig | undefined,
  adapter: Adapter,
  tools: TurnRequest["tools"],
): OutputMode | undefined => {
  if (output === undefined) return undefined;
  return sendsOutputFormat(adapter, tools, output.jsonSchema) ? "format" : "tool";
};

/** The request, asking for the object too. */
export function withOutput(
  request: TurnRequest,
  output: OutputConfig | undefined,
  mode: OutputMode | undefined,
): TurnRequest {
  if (output === undefined || mode === undefined) return request;
  const { jsonSchema } = output;
  if (mode === "format") return { ...request, output: { schema: jsonSchema } };
  const { tools = [], toolChoice = "auto" } = request;
  return {
    ...request,
    tools: [...tools, outputTool(jsonSchema)],
    toolChoice: choiceOfOutputTool(toolChoice, tools.length > 0),
  };
}

/**
 * A reply of text would not be the object, so the model must call a tool. If it may call no other
 * one, that is the tool of the object.
 */
function choiceOfOutputTool(
  choice: NonNullable<TurnRequest["toolChoice"]>,
  hasOtherTools: boolean,
): TurnRequest["toolChoice"] {
  if (typeof choice === "object") return choice;
  return choice === "none" || !hasOtherTools ? { name: outputToolName } : "required";
}

/** The tools that dispatch knows in this turn: those of the run, and the tool of the object. */
export const toolsInTurn = (
  { tools, output }: Pick<RunConfig, "tools" | "output">,
  mode: OutputMode | undefined,
): ReadonlyMap<string, Tool> =>
  output === undefined || mode !== "tool"
    ? tools
    : new Map([...tools, [outputToolName, output.tool]]);

/** Whether a call gives the object of `output`. */
export const isOutputCall = (
  { name }: { readonly name?: string | undefined },
  { output }: Pick<RunConfig, "output">,
): boolean => output !== undefined && name === outputToolName;
