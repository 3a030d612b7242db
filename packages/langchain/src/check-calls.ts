import type { AssistantBlock, ToolCall } from "@fullstop/core";
import { canonicalJson, type Fields, fieldsOf, stringifyJson } from "@fullstop/core/adapter";
import type { GuardReport } from "@fullstop/guard";

/**
 * The calls of an agent are those that the gate issued, each once: the same id, name and input.
 *
 * @throws Error if a call is another one, and if one of them is missing: half a plan does not run.
 */
export function checkCalls(reply: unknown, report: GuardReport | undefined): void {
  const { calls = [], message } = report?.turn ?? {};
  const blocks = new Map(message?.content.map((block) => ["id" in block && block.id, block]));
  const left = new Set(calls.filter(({ asks }) => asks === undefined));
  const unknown = callsOf(reply).filter((call) => {
    const same = [...left].find((one) => isSame(call, one, blocks.get(one.id)));
    return same === undefined || !left.delete(same);
  });
  const other = [...unknown, ...left].map(({ name }) => String(name));
  if (other.length > 0) throw new Error(unjudged(other));
}

/**
 * If the provider gave a call no id, or that of another call, the gate, the guard and LangChain each
 * make one.
 */
const isSame = (call: Fields, one: ToolCall, block: AssistantBlock | undefined): boolean => {
  const nativeId = block?.type === "tool-call" ? block.nativeId : undefined;
  return (
    (nativeId !== one.id || call["id"] === nativeId) &&
    call["name"] === one.name &&
    written(inputOf(call)) === written(one.input)
  );
};

/** LangChain calls the text of a free-form input `input`. */
const inputOf = ({ isCustomTool, args }: Fields): unknown =>
  isCustomTool ? { text: fieldsOf(args)["input"] } : args;

/** Equal inputs have equal texts. An input that is not an object is written as nothing. */
function written(input: unknown): string | undefined {
  try {
    return canonicalJson(stringifyJson(input));
  } catch {
    return undefined;
  }
}

/** The calls of a reply. A typed answer comes with the messages that it was read from. */
const callsOf = (reply: unknown): readonly Fields[] =>
  listOf(fieldsOf(reply)["messages"] ?? [reply]).flatMap((message) =>
    listOf(fieldsOf(message)["tool_calls"]).map(fieldsOf),
  );
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const unjudged = (names: readonly string[]): string =>
  `The calls of the message are not those that finishedCalls() saw: ${names.join(", ")}. So nothing of it ran. Put finishedCalls() last in \`middleware\`; then no other middleware changes the model or its calls. If it is last, the client of the model does not use the \`fetch\` that it was given.`;
