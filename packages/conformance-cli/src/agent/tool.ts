import type { OfferedTool, ReplyCall } from "@fullstop/conformance";
import {
  createCall,
  createLongCall,
  hasMark,
  markFor,
  type TextKind,
  textKindsOf,
} from "./input.ts";

/** Which tool the model calls, and with what. */
export interface ToolChoice {
  /** Its name, or its namespace, a dot and its name. */
  readonly name?: string | undefined;
  /** The input of the first call as text. */
  readonly input?: string | undefined;
}
export interface ChosenTool {
  readonly tool: OfferedTool;
  readonly calls: readonly [ReplyCall, ReplyCall, ReplyCall];
  readonly longCall?: ReplyCall | undefined;
}

const fullName = ({ name, namespace }: OfferedTool): string =>
  namespace === undefined ? name : `${namespace}.${name}`;
export const listTools = (tools: readonly OfferedTool[]): string =>
  tools.length === 0 ? "no tool" : tools.map(fullName).join(", ");

/** Finds a tool by its name, with or without its namespace. */
export const findTool = (tools: readonly OfferedTool[], name: string): OfferedTool | undefined =>
  tools.find((tool) => tool.name === name || fullName(tool) === name);

/** A property that must match what a file holds already. */
const replacedText = /^(old|search|find)/i;
const replacesText = ({ input }: ReplyCall): boolean =>
  Object.keys(input).some((key) => replacedText.test(key));

/**
 * What makes a tool a good one, the best first: it writes a file, it runs a command, or it takes any
 * text. A tool that reads, or that starts another agent, shows less of what happened.
 */
const preferences: readonly ((kinds: ReadonlySet<TextKind>, call: ReplyCall) => boolean)[] = [
  (kinds, call) => kinds.has("path") && kinds.has("content") && !replacesText(call),
  (kinds) => kinds.has("command"),
  () => true,
];

/** Whether the parameters of a tool are something else than a JSON Schema. */
const hasNoSchema = ({ inputSchema, takesText }: OfferedTool): boolean =>
  !takesText &&
  (typeof inputSchema !== "object" || inputSchema === null || Array.isArray(inputSchema));

const describeNoSchema = (tool: OfferedTool): string =>
  `The parameters of the tool ${fullName(tool)} are not a JSON Schema: ${JSON.stringify(tool.inputSchema).slice(0, 200)}. An API refuses such a request. Correct the tool, or name another with --tool.`;

function preferTool(tools: readonly OfferedTool[]): OfferedTool {
  const candidates = tools
    .filter(({ takesText }) => !takesText)
    .map((tool) => ({ tool, call: createCall(tool, 1) }))
    .filter(({ call }) => hasMark(call));
  for (const isPreferred of preferences) {
    const found = candidates.find(({ call }) => isPreferred(textKindsOf(call), call));
    if (found !== undefined) return found.tool;
  }
  const [other] = tools.filter(hasNoSchema);
  if (other !== undefined && candidates.length === 0) throw new Error(describeNoSchema(other));
  throw new Error(
    `No tool of the agent takes a text that the suite can write by itself, so its calls cannot be distinguished. It offers ${listTools(tools)}. Name one with --tool, and give its input with --tool-input.`,
  );
}

const nameTool = (tools: readonly OfferedTool[], name: string): OfferedTool => {
  const tool = findTool(tools, name);
  if (tool !== undefined) return tool;
  throw new Error(
    `The agent offers no tool named "${name}". It offers ${listTools(tools)}. Name one of them with --tool.`,
  );
};

function whyUnusable(tool: OfferedTool, calls: readonly ReplyCall[], given: boolean): string {
  const name = fullName(tool);
  if (!given && hasNoSchema(tool)) return describeNoSchema(tool);
  if (!given && tool.takesText)
    return `The tool ${name} takes text in a language of its own, which the suite cannot write. Give its input with --tool-input, with the mark ${markFor(1)} in it.`;
  if (calls.every(hasMark)) return "";
  return given
    ? `The file of --tool-input must hold the mark ${markFor(1)}, which the suite replaces for a second call.`
    : `The tool ${name} takes no text that the suite can mark. Name another with --tool, or give its input with --tool-input, with the mark ${markFor(1)} in it.`;
}

/**
 * Chooses the tool that the model calls: the named one, or the one whose effect is seen best.
 * @throws Error if no tool can be used. The message names the option that settles it.
 */
export function chooseTool(tools: readonly OfferedTool[], { name, input }: ToolChoice): ChosenTool {
  if (name === undefined && input !== undefined)
    throw new Error("--tool-input belongs to a tool: name it with --tool.");
  const tool = name === undefined ? preferTool(tools) : nameTool(tools, name);
  const create = (number: number): ReplyCall => createCall(tool, number, input);
  const calls = [create(1), create(2), create(3)] as const;
  const problem = whyUnusable(tool, calls.slice(0, 1), input !== undefined);
  if (problem !== "") throw new Error(problem);
  return { tool, calls, ...(input === undefined && { longCall: createLongCall(tool) }) };
}

/** Sentences about a tool that was chosen without `--tool`. */
export function describeChoice(
  { tool, calls: [call] }: ChosenTool,
  tools: readonly OfferedTool[],
): string {
  const texts = tools.filter(({ takesText }) => takesText);
  const others =
    texts.length === 0
      ? "Name another with --tool."
      : `Name another with --tool. The suite cannot write the input of ${listTools(texts)}: give it with --tool-input.`;
  return `The model calls the tool ${fullName(tool)} (${Object.keys(call.input).join(", ")}). ${others}`;
}
