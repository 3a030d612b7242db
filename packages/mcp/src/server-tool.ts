import type { InputSchema, Tool } from "@fullstop/loop";
import type { Tool as Definition } from "@modelcontextprotocol/client";
import { sha256, sortedJson } from "./digest.ts";
import { toolNameOf } from "./names.ts";
import { serverSchema } from "./server-schema.ts";

/** The tool of a server, as `approve`, `needsApproval` and `filter` see it. */
export interface ServerTool {
  /** The `name` of the server in the options. */
  readonly server: string;
  /** The name that the server gave the tool. */
  readonly tool: string;
  readonly definition: Definition;
  /** The option `trust` of the server. Without it nothing in `definition.annotations` counts. */
  readonly isTrusted: boolean;
  /** Trusted, and the server says that the tool changes nothing. */
  readonly isReadOnly: boolean;
  /** Trusted, and the server says that a second call with the same input changes nothing more. */
  readonly isIdempotent: boolean;
  /** A hash of the definition: the `revision` of the tool. */
  readonly revision: string;
}

export interface ListedTool extends ServerTool {
  readonly name: string;
  readonly inputSchema: InputSchema;
  readonly outputSchema: InputSchema | undefined;
}

/** The parts of a definition that change what a call does, or what a person or a model reads. */
const revised = ({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: Definition) => sortedJson({ name, title, description, inputSchema, outputSchema, annotations });

/**
 * Reads a definition. Annotations are hints of the server, so they count only if the caller trusts
 * it. `idempotentHint` has no meaning for a tool that changes nothing.
 * @throws TypeError if the definition cannot be read.
 */
export async function readDefinition(
  { name: server, trust = false }: { readonly name: string; readonly trust?: boolean | undefined },
  definition: Definition,
): Promise<ServerTool> {
  const { name: tool, annotations } = definition;
  const isReadOnly = trust && annotations?.readOnlyHint === true;
  return {
    server,
    tool,
    definition,
    isTrusted: trust,
    isReadOnly,
    isIdempotent: isReadOnly || (trust && annotations?.idempotentHint === true),
    revision: await revisionOf(server, definition),
  };
}

/** A definition that is nested too deeply ends the stack. */
async function revisionOf(server: string, definition: Definition): Promise<string> {
  try {
    return (await sha256(revised(definition))).slice(0, 32);
  } catch (cause) {
    throw new TypeError(
      `The definition of the tool "${definition.name}" of the server "${server}" cannot be used.`,
      { cause },
    );
  }
}

export async function prepareTool(from: ServerTool): Promise<ListedTool> {
  const { inputSchema, outputSchema } = from.definition;
  return {
    ...from,
    name: await toolNameOf(from.server, from.tool),
    inputSchema: serverSchema(inputSchema),
    outputSchema: outputSchema && serverSchema(outputSchema),
  };
}

const ofServer: unique symbol = Symbol.for("fullstop.mcp.serverTool");

interface Marked {
  readonly [ofServer]?: ServerTool;
}

/** Adds what `serverTool` finds. */
export const markTool = (tool: Tool, from: ServerTool): Tool => {
  const mark: Marked = { [ofServer]: from };
  return { ...tool, ...mark };
};

/**
 * Which server a tool comes from, and what it says about it; for `approve`, whose second argument
 * has the tool. Undefined for other tools.
 */
export const serverTool = (tool: Tool | undefined): ServerTool | undefined =>
  (tool as Marked | undefined)?.[ofServer];
