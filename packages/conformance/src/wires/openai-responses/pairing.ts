import { type Fields, fields, holding } from "../fields.ts";

/** What the client does, and what answers it. */
const answers: Readonly<Record<string, string>> = {
  function_call: "function_call_output",
  custom_tool_call: "custom_tool_call_output",
  local_shell_call: "local_shell_call_output",
  shell_call: "shell_call_output",
  apply_patch_call: "apply_patch_call_output",
  computer_call: "computer_call_output",
  tool_search_call: "tool_search_output",
  mcp_approval_request: "mcp_approval_response",
};
/** Where an item says which call it is, or answers; `call_id` unless told. */
const idFields: Readonly<Record<string, string>> = {
  local_shell_call_output: "id",
  mcp_approval_request: "id",
  mcp_approval_response: "approval_request_id",
};
const idOf = (item: Fields): unknown => item[idFields[typeOf(item)] ?? "call_id"];
const outputs: ReadonlySet<unknown> = new Set(Object.values(answers));
const typeOf = ({ type, role }: Fields): string =>
  String(type ?? (role === undefined ? "none" : "message"));

/** Run by the server: its output comes with the reply. */
const inContainer = ({ environment }: Fields): boolean =>
  fields(environment)["type"] === "container_reference";
const onServer = (item: Fields): boolean =>
  inContainer(item) || (typeOf(item).startsWith("tool_search_") && item["execution"] !== "client");
const isCall = (item: Fields): boolean => Object.hasOwn(answers, typeOf(item)) && !onServer(item);
const isOutput = (item: Fields): boolean => outputs.has(typeOf(item)) && !onServer(item);
const fromModel = (item: Fields | undefined): boolean =>
  item !== undefined &&
  !outputs.has(typeOf(item)) &&
  (typeOf(item) !== "message" || item["role"] === "assistant");

/** An answer comes before anybody says another word (awesome-deepseek#740). */
function unanswered(call: Fields, after: readonly Fields[]): boolean {
  const spoken = after.findIndex(
    (item) => typeOf(item) === "message" && item["role"] !== "assistant",
  );
  const near = spoken < 0 ? after : after.slice(0, spoken);
  return !near.some((item) => typeOf(item) === answers[typeOf(call)] && idOf(item) === idOf(call));
}

function ofItem(items: readonly Fields[], n: number): readonly string[] {
  const item = items[n] ?? {};
  const type = typeOf(item);
  const id = String(idOf(item));
  const asked = items
    .slice(0, n)
    .some((before) => answers[typeOf(before)] === type && idOf(before) === idOf(item));
  return holding({
    [`No tool output found for ${type.replaceAll("_", " ")} ${id}.`]:
      isCall(item) && unanswered(item, items.slice(n + 1)),
    [`No tool call found for ${type.replaceAll("_", " ")} with call_id ${id}.`]:
      isOutput(item) && !asked,
    [`Item '${item["id"]}' of type 'reasoning' was provided without its required following item.`]:
      type === "reasoning" && !fromModel(items[n + 1]),
  });
}

/** The rules between items. */
export function pairing(items: readonly Fields[]): readonly string[] {
  const of = (id: (item: Fields) => unknown, is: (item: Fields) => boolean): readonly unknown[] =>
    items
      .filter(is)
      .map(id)
      .filter((value) => value !== undefined && value !== null);
  const calls = of(idOf, isCall);
  const results = of(idOf, isOutput);
  const ids = of(
    (item) => item["id"],
    (item) => idFields[typeOf(item)] !== "id" || isCall(item),
  );
  return [
    ...holding({
      "input: two calls share one call_id": new Set(calls).size !== calls.length,
      "input: a call has two outputs": new Set(results).size !== results.length,
      "input: Duplicate item found with id": new Set(ids).size !== ids.length,
    }),
    ...items.flatMap((_, n) => ofItem(items, n)),
  ];
}
