import type { NativeTool, ToolSpec, TurnRequest } from "@fullstop/core";
import { toJsonSchema } from "@fullstop/core/adapter";
import type { RunOptions } from "./options.ts";
import type { Tool } from "./tool.ts";

interface ParsedTools {
  /** What the provider gets. */
  readonly specs: readonly (ToolSpec | NativeTool)[];
  /** The tools that this program runs, by name. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** Tools that a provider defines, without an `execute`. */
  readonly nativeTools: readonly NativeTool[];
}

/** Throws for tools that cannot be described to a provider, and for names that do not match. */
export function parseTools({
  tools = [],
  request: { toolChoice } = {},
}: Pick<RunOptions, "tools" | "request">): ParsedTools {
  const specs = tools.map(toToolSpec);
  const names = uniqueNames(specs);
  assertToolChoice(toolChoice, names, specs.length);
  const own = tools.filter(isTool);
  for (const tool of own) assertSalvage(tool, names);
  return {
    specs,
    tools: new Map(own.map((tool) => [tool.name, tool])),
    nativeTools: tools.filter((tool): tool is NativeTool => !isTool(tool)),
  };
}

const isTool = (tool: Tool | NativeTool): tool is Tool => "execute" in tool;

/**
 * A tool as the provider gets it. If the provider defines it and this program runs it, that is the
 * provider's own definition.
 */
function toToolSpec(tool: Tool | NativeTool, position: number): ToolSpec | NativeTool {
  if (typeof tool !== "object" || tool === null)
    throw new TypeError(`\`tools[${position}]\` must be a tool, such as \`tool({ … })\` returns.`);
  const spec = isTool(tool) ? describeTool(tool) : undefined;
  if ("provider" in tool) return tool;
  if (spec === undefined)
    throw new TypeError(`Tool "${tool.name}" needs an \`execute\` or a \`provider\`.`);
  return spec;
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

function assertToolChoice(
  choice: TurnRequest["toolChoice"],
  names: ReadonlySet<string>,
  toolCount: number,
): void {
  if (typeof choice === "object" && !names.has(choice.name))
    throw new TypeError(
      `\`request.toolChoice\` names "${choice.name}", which is not in \`tools\`.`,
    );
  if (choice === "required" && toolCount === 0)
    throw new TypeError('`request.toolChoice: "required"` requires `tools`.');
}

/** `continueWith` must name tools that the model can call. */
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

/**
 * The names that at least one provider accepts: Google accepts `.` and `:` too, and Anthropic 128
 * characters.
 */
const toolNamePattern = /^[a-zA-Z0-9_.:-]{1,128}$/;
const suggestToolName = (name: string): string =>
  name
    .replace(/[^a-zA-Z0-9_-]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 64) || "my_tool";

function describeTool({ name, description, inputSchema, timeoutMs, execute }: Tool): ToolSpec {
  if (typeof name !== "string" || name.trim() === "") throw new TypeError("A tool needs a `name`.");
  if (!toolNamePattern.test(name)) {
    throw new TypeError(
      `No provider accepts the tool name "${name}". Use at most 64 letters, digits, \`_\` and \`-\`, for example "${suggestToolName(name)}".`,
    );
  }
  if (typeof execute !== "function")
    throw new TypeError(`\`execute\` of tool "${name}" must be a function.`);
  if (timeoutMs !== undefined && !(timeoutMs > 0))
    throw new RangeError(`\`timeoutMs\` of tool "${name}" must be more than 0, not ${timeoutMs}.`);
  if (inputSchema === undefined) throw new TypeError(`Tool "${name}" needs an \`inputSchema\`.`);
  return { name, description, inputSchema: toJsonSchema(`tool "${name}"`, inputSchema) };
}
