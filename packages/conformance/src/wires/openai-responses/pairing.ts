import type { Violation } from "../../wire.ts";
import { type Fields, fieldsOf, listDoubtful, listViolations } from "../shared.ts";

/** The calls that the client runs, and the type of the item that answers each. */
const outputTypes: Readonly<Record<string, string>> = {
  function_call: "function_call_output",
  custom_tool_call: "custom_tool_call_output",
  local_shell_call: "local_shell_call_output",
  shell_call: "shell_call_output",
  apply_patch_call: "apply_patch_call_output",
  computer_call: "computer_call_output",
  tool_search_call: "tool_search_output",
  mcp_approval_request: "mcp_approval_response",
};
/** The field that identifies the call of an item. `call_id` by default. */
const idFields: Readonly<Record<string, string>> = {
  local_shell_call_output: "id",
  mcp_approval_request: "id",
  mcp_approval_response: "approval_request_id",
};
const callIdOf = (item: Fields): unknown => item[idFields[itemType(item)] ?? "call_id"];
const outputTypeNames: ReadonlySet<unknown> = new Set(Object.values(outputTypes));
const itemType = ({ type, role }: Fields): string =>
  String(type ?? (role === undefined ? "none" : "message"));

/** The server runs it: its output is part of the reply. */
const runsInContainer = ({ environment }: Fields): boolean =>
  fieldsOf(environment)["type"] === "container_reference";
const runsOnServer = (item: Fields): boolean =>
  runsInContainer(item) ||
  (itemType(item).startsWith("tool_search_") && item["execution"] !== "client");
const isClientCall = (item: Fields): boolean =>
  Object.hasOwn(outputTypes, itemType(item)) && !runsOnServer(item);
const isClientOutput = (item: Fields): boolean =>
  outputTypeNames.has(itemType(item)) && !runsOnServer(item);
const isFromModel = (item: Fields | undefined): boolean =>
  item !== undefined &&
  !outputTypeNames.has(itemType(item)) &&
  (itemType(item) !== "message" || item["role"] === "assistant");

const isAnswered = (call: Fields, after: readonly Fields[]): boolean =>
  after.some(
    (item) => itemType(item) === outputTypes[itemType(call)] && callIdOf(item) === callIdOf(call),
  );

/** The items before the next message that is not the model's. */
function untilNextMessage(after: readonly Fields[]): readonly Fields[] {
  const spoken = after.findIndex(
    (item) => itemType(item) === "message" && item["role"] !== "assistant",
  );
  return spoken < 0 ? after : after.slice(0, spoken);
}

function itemNeighborViolations(items: readonly Fields[], index: number): readonly Violation[] {
  const item = items[index] ?? {};
  const type = itemType(item);
  const id = String(callIdOf(item));
  const asked = items
    .slice(0, index)
    .some(
      (before) => outputTypes[itemType(before)] === type && callIdOf(before) === callIdOf(item),
    );
  const after = items.slice(index + 1);
  const unanswered = `No tool output found for ${type.replaceAll("_", " ")} ${id}.`;
  const refused = listViolations(items.slice(index, index + 2), {
    [unanswered]: isClientCall(item) && !isAnswered(item, after),
    [`No tool call found for ${type.replaceAll("_", " ")} with call_id ${id}.`]:
      isClientOutput(item) && (callIdOf(item) ?? undefined) !== undefined && !asked,
    [`Item '${item["id"]}' of type 'reasoning' was provided without its required following item.`]:
      type === "reasoning" && !isFromModel(items[index + 1]),
  });
  // DeepSeek wants the output before the next message.
  const isLate = isAnswered(item, after) && !isAnswered(item, untilNextMessage(after));
  return [...refused, ...listDoubtful(item, { [unanswered]: isClientCall(item) && isLate })];
}

/** The broken rules about items that belong together. */
export function responsesPairingViolations(items: readonly Fields[]): readonly Violation[] {
  const holdersOfSame = (
    id: (item: Fields) => unknown,
    is: (item: Fields) => boolean,
  ): readonly Fields[] => {
    const holders = items.filter((item) => is(item) && (id(item) ?? undefined) !== undefined);
    const values = holders.map(id);
    return holders.filter((item) => values.indexOf(id(item)) !== values.lastIndexOf(id(item)));
  };
  const calls = holdersOfSame(callIdOf, isClientCall);
  const results = holdersOfSame(callIdOf, isClientOutput);
  const sameIds = holdersOfSame(
    (item) => item["id"],
    (item) => idFields[itemType(item)] !== "id" || isClientCall(item),
  );
  return [
    // Other hosts refuse these two (NousResearch/hermes-agent#111443). That OpenAI does is not shown.
    ...listDoubtful(calls, { "input: two calls share one call_id": calls.length > 0 }),
    ...listDoubtful(results, { "input: a call has two outputs": results.length > 0 }),
    ...listViolations(sameIds, { "input: Duplicate item found with id": sameIds.length > 0 }),
    ...items.flatMap((_, index) => itemNeighborViolations(items, index)),
  ];
}
