import type { InputSchema, NativeTool } from "@fullstop/core";
import { outputTool, outputToolName, toJsonSchema } from "@fullstop/core/adapter";
import type { Tool } from "../contract/tool.ts";

export interface OutputConfig {
  readonly schema: InputSchema;
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  /** Takes the object if the provider has no format for it. */
  readonly tool: Tool;
}

/** Throws for a schema without JSON Schema, and for tools that would give another output. */
export function parseOutput(
  schema: InputSchema | undefined,
  tools: readonly (Tool | NativeTool)[] = [],
): OutputConfig | undefined {
  if (schema === undefined) return undefined;
  const jsonSchema = toJsonSchema("`output`", schema);
  assertNoOutputs(tools);
  return { schema, jsonSchema, tool: createOutputTool(schema, jsonSchema) };
}

export const assertNoOutputs = (tools: readonly (Tool | NativeTool)[]): void => {
  for (const tool of tools) assertNoOutput(tool);
};

function assertNoOutput(tool: Tool | NativeTool): void {
  if (tool.name === outputToolName)
    throw new TypeError(
      `With \`output\`, the name "${outputToolName}" belongs to a tool of the loop. Rename your tool.`,
    );
  if ("ends" in tool && tool.ends)
    throw new TypeError(
      `\`outcome.output\` would have two meanings: the tool "${tool.name}" has \`ends\`, and \`output\` is set. Use one of them.`,
    );
}

/**
 * It has no side effects, so a call whose result a journal does not hold is run again, and no person
 * is asked. Its repetitions have a limit of their own.
 */
const createOutputTool = (
  schema: InputSchema,
  jsonSchema: Readonly<Record<string, unknown>>,
): Tool => ({
  name: outputToolName,
  description: outputTool(jsonSchema).description,
  inputSchema: schema,
  execute: () => "The answer was accepted.",
  ends: true,
  idempotent: true,
  needsApproval: false,
  polls: true,
});
