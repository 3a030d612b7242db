import { type NativeTool, ProviderError, type ToolCall } from "@fullstop/core";
import { type Answer, refused } from "./output.ts";

/** What of a plan says who answers a call. */
interface Offered {
  readonly tools: ReadonlyMap<string, unknown>;
  readonly natives: readonly NativeTool[];
}

/**
 * Does this call ask whether the provider may run a tool of its own? OpenAI asks so for remote MCP servers, with
 * `{ server_label, name, arguments }`: https://developers.openai.com/api/docs/guides/tools-connectors-mcp
 */
export const isApprovalRequest = ({ name, input }: ToolCall, tools: Offered["tools"]): boolean =>
  name === "mcp_approval" &&
  !tools.has(name) &&
  typeof input["server_label"] === "string" &&
  typeof input["name"] === "string";

/** The results that an adapter sends back as a yes and as a no. */
export const approved: Answer = { content: "approve" };
export const notApproved = (why: string): Answer => refused(why === "" ? "deny" : `deny: ${why}`);

/** Says of the first call of a tool that its provider defines and no `execute` answers, what it is and how to offer it. */
export function unansweredHosted(
  calls: readonly ToolCall[],
  { tools, natives }: Offered,
): ProviderError | undefined {
  for (const { name } of calls) {
    const native = tools.has(name)
      ? undefined
      : natives.find((one) => namesOf(one).some((known) => known === name));
    if (native === undefined) continue;
    return new ProviderError(
      `The model called "${name}", a tool that ${native.provider} defines and your program must run. Nothing ran. Give this tool an \`execute\`: \`tools: [{ name: "${name}", description, inputSchema, execute, provider: "${native.provider}", definition }]\`.`,
      { kind: "invalid-request" },
    );
  }
  return undefined;
}

/** A definition says its name, or only its type: "apply_patch", or "computer_use_preview" for calls of "computer". */
function namesOf({ name, definition }: NativeTool): readonly unknown[] {
  const { name: own, type }: { readonly name?: unknown; readonly type?: unknown } =
    Object(definition);
  return [
    name,
    own,
    type,
    typeof type === "string" ? type.replace(/_(use|preview).*$/, "") : undefined,
  ];
}
