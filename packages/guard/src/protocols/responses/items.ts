import { type Fields, fieldsOf } from "@fullstop/core/adapter";
import { type Edit, listOf } from "../protocol.ts";

/**
 * What an item of the output asks of the client.
 *
 * - `nothing`: the model says it, or the provider runs it;
 * - `call`: a call that the gate reads;
 * - `unread`: it may ask for something, and the gate does not read it. The ending of the reply
 *   decides.
 */
export type ItemRole = "nothing" | "call" | "unread";

/**
 * Items by type. https://developers.openai.com/api/reference/resources/responses/create: the items
 * of its output
 */
const itemRoles: Readonly<Record<string, ItemRole | ((item: Fields) => ItemRole)>> = {
  message: "nothing",
  reasoning: "nothing",
  additional_tools: "nothing",
  code_interpreter_call: "nothing",
  compaction: "nothing",
  file_search_call: "nothing",
  image_generation_call: "nothing",
  mcp_approval_response: "nothing",
  mcp_call: "nothing",
  mcp_list_tools: "nothing",
  program: "nothing",
  web_search_call: "nothing",
  function_call: "call",
  custom_tool_call: "call",
  apply_patch_call: "call",
  computer_call: "call",
  local_shell_call: "call",
  mcp_approval_request: "call",
  shell_call: ({ environment }) =>
    fieldsOf(environment)["type"] === "container_reference" ? "nothing" : "call",
  tool_search_call: ({ execution }) =>
    (({ client: "call", server: "nothing" }) as const)[String(execution)] ?? "unread",
};

/** The role of an item. What the provider has run comes as an item whose type ends in `_output`. */
export function roleOfItem(item: Fields): ItemRole {
  const type = String(item["type"]);
  const role = Object.hasOwn(itemRoles, type) ? itemRoles[type] : undefined;
  if (typeof role === "function") return role(item);
  return role ?? (type.endsWith("_output") ? "nothing" : "unread");
}

/** Some hosts run custom tools themselves: the gate reads none, so no custom call is granted. */
export const isReadByGate = (type: unknown, calls: Edit["calls"]): boolean =>
  type !== "custom_tool_call" || calls.some(({ kind }) => kind === "text");

export function isKept(item: Fields, { calls }: Pick<Edit, "calls">): boolean {
  const role = roleOfItem(item);
  if (role === "nothing" || calls.length === 0) return role === "nothing";
  return role === "unread" || !isReadByGate(item["type"], calls);
}

export const asksClient = (item: Fields): boolean => roleOfItem(item) !== "nothing";

export const holdsCalls = (output: unknown): boolean =>
  listOf(output).map(fieldsOf).some(asksClient);

const isReasoning = ({ type }: Fields): boolean => type === "reasoning";

/**
 * The items that stay. Reasoning leaves with the call that it leads to: the API refuses it without
 * that call. https://github.com/openai/openai-agents-python/issues/3207
 */
export function keepItems<Item extends Fields>(
  items: readonly Item[],
  edit: Pick<Edit, "calls">,
): readonly Item[] {
  let isNextKept = true;
  return items
    .toReversed()
    .filter((item) => {
      if (!isReasoning(item)) isNextKept = isKept(item, edit);
      return isNextKept;
    })
    .toReversed();
}
