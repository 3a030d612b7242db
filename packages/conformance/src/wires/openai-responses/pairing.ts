import { type Fields, fields, holding } from "../fields.ts";

/** What the client does, and what answers it. */
const answers: Readonly<Record<string, string>> = {
  function_call: "function_call_output",
  custom_tool_call: "custom_tool_call_output",
  local_shell_call: "local_shell_call_output",
  shell_call: "shell_call_output",
  apply_patch_call: "apply_patch_call_output",
  computer_call: "computer_call_output",
};
const outputs: ReadonlySet<unknown> = new Set(Object.values(answers));
const typeOf = ({ type, role }: Fields): string => String(type ?? (role === undefined ? "none" : "message"));

/** Run by the server: its output comes with the reply. */
const inContainer = ({ environment }: Fields): boolean => fields(environment)["type"] === "container_reference";
const isCall = (item: Fields): boolean => Object.hasOwn(answers, typeOf(item)) && !inContainer(item);
const fromModel = (item: Fields | undefined): boolean =>
  item !== undefined && !outputs.has(typeOf(item)) && (typeOf(item) !== "message" || item["role"] === "assistant");

/** An answer comes before anybody says another word (awesome-deepseek#740). */
function unanswered(call: Fields, after: readonly Fields[]): boolean {
  const spoken = after.findIndex((item) => typeOf(item) === "message" && item["role"] !== "assistant");
  const near = spoken < 0 ? after : after.slice(0, spoken);
  return !near.some((item) => typeOf(item) === answers[typeOf(call)] && item["call_id"] === call["call_id"]);
}

function ofItem(items: readonly Fields[], n: number): readonly string[] {
  const item = items[n] ?? {};
  const type = typeOf(item);
  const id = String(item["call_id"]);
  const asked = items.slice(0, n).some((before) => answers[typeOf(before)] === type && before["call_id"] === item["call_id"]);
  return holding({
    [`No tool output found for ${type.replaceAll("_", " ")} ${id}.`]: isCall(item) && unanswered(item, items.slice(n + 1)),
    [`No tool call found for ${type.replaceAll("_", " ")} with call_id ${id}.`]: outputs.has(type) && !asked,
    [`Item '${item["id"]}' of type 'reasoning' was provided without its required following item.`]:
      type === "reasoning" && !fromModel(items[n + 1]),
  });
}

/** The rules between items. */
export function pairing(items: readonly Fields[]): readonly string[] {
  const of = (key: string, is: (item: Fields) => boolean): readonly unknown[] =>
    items.filter((item) => is(item) && item[key] !== undefined && item[key] !== null).map((item) => item[key]);
  const calls = of("call_id", isCall);
  const results = of("call_id", (item) => outputs.has(typeOf(item)));
  const ids = of("id", () => true);
  return [
    ...holding({
      "input: two calls share one call_id": new Set(calls).size !== calls.length,
      "input: a call has two outputs": new Set(results).size !== results.length,
      "input: Duplicate item found with id": new Set(ids).size !== ids.length,
    }),
    ...items.flatMap((_, n) => ofItem(items, n)),
  ];
}
