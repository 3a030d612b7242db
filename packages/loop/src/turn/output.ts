import type { Adapter, Preview, ToolCall, ToolMessage, Turn, TurnRequest } from "@fullstop/core";
import {
  describeMissingOutput,
  type InputKey,
  outputTool,
  outputToolName,
  readPartialInput,
  sendsOutputFormat,
  validateInput,
} from "@fullstop/core/adapter";
import type { OutputConfig } from "../config/output-schema.ts";
import type { RunConfig } from "../config/run-config.ts";
import type { EventBody } from "../contract/event.ts";
import type { Tool } from "../contract/tool.ts";
import { type aborted, unlessAborted } from "../util/abort.ts";

/** The mode belongs to one request: a fallback may need the other one. */
export type OutputMode = "format" | "tool";

export const outputModeFor = (
  output: OutputConfig | undefined,
  adapter: Adapter,
  tools: TurnRequest["tools"],
): OutputMode | undefined => {
  if (output === undefined) return undefined;
  return sendsOutputFormat(adapter, tools, output.jsonSchema) ? "format" : "tool";
};

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

/** A reply of text would not be the object, so the model must call a tool. */
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

export const isOutputCall = (
  { name }: { readonly name?: string | undefined },
  { output }: Pick<RunConfig, "output">,
): boolean => output !== undefined && name === outputToolName;

/** What a finished reply without calls is worth, if `output` asks for an object. */
export type Answer =
  /** The schema accepted the object, and made this value of it. */
  | { readonly value: unknown }
  | { readonly issues: readonly string[] }
  /** The run was aborted while the schema checked the object. */
  | typeof aborted;

interface AskedOutput {
  readonly config: Pick<RunConfig, "output">;
  readonly outputMode: OutputMode | undefined;
}

/** Undefined if the reply is not finished, or if no object was asked for. */
export async function readAnswer(
  turn: Turn,
  { config: { output: asked }, outputMode }: AskedOutput,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  if (turn.stopReason !== "stop" || asked === undefined || outputMode === undefined)
    return undefined;
  const { output } = turn;
  if (output !== undefined && "value" in output)
    return unlessAborted(validateInput(asked.schema, output.value), signal);
  const issue =
    outputMode === "tool"
      ? `the reply is text instead of a call of ${outputToolName}`
      : describeMissingOutput(turn);
  return { issues: [issue] };
}

/** An object that was written before the results of other calls is not the answer. */
export function misplacedOutputCalls(
  calls: readonly ToolCall[],
  config: Pick<RunConfig, "output">,
): ReadonlyMap<ToolCall, string> {
  const outputCalls = calls.filter((call) => isOutputCall(call, config));
  if (calls.length < 2) return new Map();
  const reason =
    outputCalls.length === calls.length
      ? "it was called more than once in one reply. Call it once, with the whole answer."
      : "other calls came with it. Call it alone, after you have seen their results.";
  return new Map(outputCalls.map((call) => [call, reason]));
}

/** Why the object of these calls was not accepted. Undefined if they do not give one. */
export async function outputIssues(
  calls: readonly ToolCall[],
  { content }: ToolMessage,
  config: Pick<RunConfig, "output">,
): Promise<readonly string[] | undefined> {
  const { output } = config;
  const position = calls.findIndex((call) => isOutputCall(call, config));
  const call = calls[position];
  if (output === undefined || call === undefined) return undefined;
  if (calls.length > 1) return [`${outputToolName} was not the only call of the reply`];
  const verdict = await validateInput(output.schema, call.input);
  return "issues" in verdict ? verdict.issues : [String(content[position]?.content)];
}

export interface OutputPreview {
  readonly onPreview: (event: Preview) => void;
  /** The reply has ended: reports the rest. */
  readonly end: () => void;
}

const firstLength = 16;
/** Each parse reads all of the text, so the whole costs at most five times its length. */
const growth = 1.25;

/** If the request has no mode, it asks for no object, so nothing is reported. */
export function createOutputPreview(
  mode: OutputMode | undefined,
  emit: (event: EventBody) => void,
): OutputPreview {
  if (mode === undefined) return { onPreview: emit, end: () => undefined };
  const readObjectText = mode === "format" ? readText : createInputReader();
  let text = "";
  let reported = 0;
  const report = (): void => {
    reported = text.length;
    const partial = readPartialInput(text);
    if (partial !== undefined) emit({ type: "output", partial });
  };
  return {
    onPreview: (event) => {
      emit(event);
      text += readObjectText(event);
      if (text.length >= Math.max(firstLength, reported * growth) && text.length > reported)
        report();
    },
    end: () => {
      if (text.length > reported) report();
    },
  };
}

const readText = (event: Preview): string => (event.type === "text" ? event.text : "");

/** Reads the input of the first call of the output tool. It may also come whole, with its end. */
function createInputReader(): (event: Preview) => string {
  let key: InputKey | undefined;
  let hasDeltas = false;
  return (event) => {
    if (event.type === "tool-input-start" && event.name === outputToolName) key ??= event.key;
    if (!("key" in event) || event.key !== key || event.type === "tool-input-start") return "";
    const { type, text = "" } = event;
    if (type === "tool-input-end" && hasDeltas) return "";
    hasDeltas = true;
    return text;
  };
}
