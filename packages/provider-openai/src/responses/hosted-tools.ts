import type { ItemOf } from "./decode/item.ts";

/** Items that ask the client to use a tool that the API defines. */
export type HostedToolType =
  | "apply_patch_call"
  | "computer_call"
  | "local_shell_call"
  | "mcp_approval_request"
  | "shell_call"
  | "tool_search_call";

/** How such an item becomes a call. */
export interface HostedTool<Type extends HostedToolType> {
  /** The name of the call. */
  readonly name: string;
  /** The API asks whether it may run a tool of its own. */
  readonly asks?: "approval";
  input(item: ItemOf<Type>): unknown;
}

/**
 * https://developers.openai.com/api/reference/resources/responses/create: the items of its output
 */
export const hostedTools: { readonly [Type in HostedToolType]: HostedTool<Type> } = {
  apply_patch_call: { name: "apply_patch", input: ({ operation }) => operation },
  computer_call: {
    name: "computer",
    input: ({ action, actions, pending_safety_checks: checks }) => ({
      ...(action && { action }),
      ...(actions && { actions }),
      ...(checks && checks.length > 0 && { pending_safety_checks: checks }),
    }),
  },
  local_shell_call: { name: "local_shell", input: ({ action }) => action },
  mcp_approval_request: {
    // https://developers.openai.com/api/docs/guides/tools-connectors-mcp
    name: "mcp_approval",
    asks: "approval",
    input: ({ server_label, name, arguments: args }) => ({ server_label, name, arguments: args }),
  },
  shell_call: { name: "shell", input: ({ action }) => action },
  tool_search_call: { name: "tool_search", input: (item) => item.arguments },
};
