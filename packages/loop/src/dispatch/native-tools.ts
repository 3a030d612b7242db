import { type NativeTool, ProviderError, type ToolCall } from "@fullstop/core";
import type { RunConfig } from "../config/run-config.ts";
import { type CallOutcome, unmade } from "./output.ts";

export const isApprovalRequest = (
  { name, asks }: ToolCall,
  tools: ReadonlyMap<string, unknown>,
): boolean => asks === "approval" && !tools.has(name);

/** The results that an adapter sends back as an approval and as a denial. */
export const approvalGiven: CallOutcome = { content: "approve", ran: false };
export const approvalDenied = (reason: string): CallOutcome =>
  unmade(reason === "" ? "deny" : `deny: ${reason}`);

/** About a call of a tool that its provider defines, but that has no `execute`. */
export function missingExecuteError(
  calls: readonly ToolCall[],
  { tools, nativeTools }: Pick<RunConfig, "tools" | "nativeTools">,
): ProviderError | undefined {
  for (const { name } of calls) {
    const native = tools.has(name)
      ? undefined
      : nativeTools.find((one) => callNames(one).some((known) => known === name));
    if (native === undefined) continue;
    return new ProviderError(
      `The model called "${name}", a tool that ${native.provider} defines and your program must run. No call ran. Add an \`execute\` to the tool: \`tools: [{ name: "${name}", description, inputSchema, execute, provider: "${native.provider}", definition }]\`.`,
      { kind: "invalid-request" },
    );
  }
  return undefined;
}

/** A definition may have only a type, such as "computer_use_preview" for calls of "computer". */
function callNames({ name, definition }: NativeTool): readonly unknown[] {
  const { name: defined, type }: { readonly name?: unknown; readonly type?: unknown } =
    Object(definition);
  return [
    name,
    defined,
    type,
    typeof type === "string" ? type.split(/_(?:use|preview)/)[0] : undefined,
  ];
}
