import type { InputSchema, NativeTool, ToolSpec, TurnRequest } from "@fullstop/core";
import { type SchemaTypes, toJsonSchema } from "@fullstop/core/adapter";
import type { RunOptions } from "../contract/options.ts";
import type { ExecutableTool, Tool, ToolDefinition } from "../contract/tool.ts";
import { toolAliases } from "./foreign-names.ts";
import { assertOptions, toolKinds } from "./option-kinds.ts";

interface ParsedTools {
  /** What the provider gets. */
  readonly specs: readonly (ToolSpec | NativeTool)[];
  readonly tools: ReadonlyMap<string, Tool>;
  readonly nativeTools: readonly NativeTool[];
}

export function parseTools(
  tools: NonNullable<RunOptions["tools"]> = [],
  toolChoice: TurnRequest["toolChoice"] = undefined,
): ParsedTools {
  const specs = tools.map(toToolSpec);
  const names = uniqueNames(specs);
  assertToolChoice(toolChoice, specs);
  const own = tools.filter(isTool);
  for (const tool of own) assertSalvage(tool, names);
  return {
    specs,
    tools: new Map(own.map((tool) => [tool.name, tool])),
    nativeTools: tools.filter((tool): tool is NativeTool => !isTool(tool)),
  };
}

/** Without an `execute` and a schema, the provider alone knows the tool. */
function isTool(tool: Tool | NativeTool): tool is Tool {
  const { execute, inputSchema }: Partial<Tool> = tool as Tool;
  return !("provider" in tool) || execute !== undefined || inputSchema !== undefined;
}

function toToolSpec(tool: Tool | NativeTool, position: number): ToolSpec | NativeTool {
  if (typeof tool !== "object" || tool === null)
    throw new TypeError(`\`tools[${position}]\` must be a tool, such as \`tool({ … })\` returns.`);
  assertOptions(tool, toolKinds, `tools[${position}]`, toolAliases);
  if (!isTool(tool)) return tool;
  const spec = describeTool(tool);
  return "provider" in tool ? (tool as unknown as NativeTool) : spec;
}

/**
 * Defines a tool. `execute` gets the output type of the schema. Without `execute` the tool runs
 * elsewhere: its calls end the run with the status `waiting`.
 * @throws TypeError for a key that a tool does not have, and for a schema that is missing or not of
 * an object.
 */
export function tool<S extends InputSchema<object>>(
  definition: ToolDefinition<S> & Pick<ExecutableTool<SchemaTypes<S>["output"]>, "execute">,
): ExecutableTool<SchemaTypes<S>["output"]>;
export function tool<S extends InputSchema<object>>(
  definition: ToolDefinition<S>,
): Tool<SchemaTypes<S>["output"]>;
export function tool<S extends InputSchema<object>>(
  definition: ToolDefinition<S>,
): Tool<SchemaTypes<S>["output"]> {
  assertOptions(definition, toolKinds, "tool", toolAliases);
  describeTool(definition);
  return definition;
}

function uniqueNames(specs: readonly (ToolSpec | NativeTool)[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { name } of specs) {
    if (name === undefined) continue;
    if (names.has(name))
      throw new TypeError(`Two tools have the name "${name}". Each tool needs a unique name.`);
    names.add(name);
  }
  return names;
}

export function assertToolChoice(
  choice: TurnRequest["toolChoice"],
  specs: readonly (ToolSpec | NativeTool)[],
): void {
  if (typeof choice === "object" && !specs.some(({ name }) => name === choice.name))
    throw new TypeError(
      `\`request.toolChoice\` names "${choice.name}", which is not in \`tools\`.`,
    );
  if (choice === "required" && specs.length === 0)
    throw new TypeError('`request.toolChoice: "required"` requires `tools`.');
}

function assertSalvage({ name, salvage }: Tool, names: ReadonlySet<string>): void {
  if (salvage === undefined) return;
  if (salvage.continueWith.length === 0)
    throw new TypeError(`\`salvage.continueWith\` of tool "${name}" must name at least one tool.`);
  const missing = salvage.continueWith.find((other) => !names.has(other));
  if (missing !== undefined)
    throw new TypeError(
      `\`salvage.continueWith\` of tool "${name}" names "${missing}", which is not in \`tools\`.`,
    );
}

/** What at least one provider accepts: Google also `.` and `:`, and Anthropic 128 characters. */
const toolNamePattern = /^[a-zA-Z0-9_.:-]{1,128}$/;
const suggestToolName = (name: string): string =>
  name
    .replace(/[^a-zA-Z0-9_-]+/g, "_")
    .replace(/^_+|(?<!_)_+$/g, "")
    .slice(0, 64) || "my_tool";

function describeTool(tool: Tool): ToolSpec {
  const { name, description, inputSchema } = tool;
  if (typeof name !== "string" || name.trim() === "") throw new TypeError("A tool needs a `name`.");
  if (!toolNamePattern.test(name)) {
    throw new TypeError(
      `No provider accepts the tool name "${name}". Use at most 64 letters, digits, \`_\` and \`-\`, for example "${suggestToolName(name)}".`,
    );
  }
  if (inputSchema === undefined) throw new TypeError(`Tool "${name}" needs an \`inputSchema\`.`);
  return { name, description, inputSchema: toJsonSchema(`tool "${name}"`, inputSchema) };
}
