import { parseInput } from "./calls.ts";
import { failedKinds, isFailed, ProviderError } from "./error.ts";
import { atLeastOne, licence } from "./gate.ts";
import type { AssistantMessage, ToolCallBlock } from "./message.ts";
import { stopRules } from "./stop.ts";
import type { Turn } from "./turn.ts";

/**
 * A turn that was stored as JSON, with its licences derived anew from the blocks of its message.
 * @throws TypeError where it is no turn, or asks for calls whose inputs are not whole.
 */
export function restoreTurn(stored: unknown): Turn {
  const turn = stored as Partial<Turn> | null;
  if (typeof turn !== "object" || turn === null) throw broken("it is no object");
  const { stopReason, message, text, usage } = turn;
  if (typeof stopReason !== "string" || !Object.hasOwn(stopRules, stopReason))
    throw broken(`its stopReason is ${JSON.stringify(stopReason)}`);
  if (typeof text !== "string" || typeof usage?.input !== "number" || typeof usage.output !== "number")
    throw broken("its text or usage is missing");
  if (message !== undefined && (message?.role !== "assistant" || !Array.isArray(message.content)))
    throw broken("its message is no assistant message");
  const { native, requestId } = turn;
  const base = { ...(native && { native }), text, usage, ...(requestId !== undefined && { requestId }) };
  if (stopReason === "tool-use") {
    if (message === undefined) throw broken("it has no message");
    return { ...base, stopReason, message, calls: atLeastOne(message.content.filter(isCall).map(relicense)), withheld: [] };
  }
  if (message?.content.some(isCall)) throw broken(`its message holds calls under ${stopReason}`);
  const rest = { ...base, ...(message && { message }), calls: [] as const, withheld: turn.withheld ?? [] };
  if (!isFailed(stopReason)) return { ...rest, stopReason };
  const error = "error" in turn ? turn.error : undefined;
  const { kind = failedKinds[stopReason], message: said = "", ...detail } = error ?? {};
  return { ...rest, stopReason, error: new ProviderError(said, { ...detail, kind }) };
}

const isCall = (block: AssistantMessage["content"][number]): block is ToolCallBlock => block.type === "tool-call";
const broken = (why: string): TypeError => new TypeError(`This is not a stored turn: ${why}.`);

function relicense(block: ToolCallBlock): ReturnType<typeof licence> {
  const { id, name, inputText, kind } = block;
  if (typeof id !== "string" || id === "" || typeof name !== "string" || name.trim() === "") throw broken("a call has no id or no name");
  if (typeof inputText !== "string") throw broken(`the input of ${name} is no text`);
  const parsed = parseInput(inputText, kind);
  if ("why" in parsed) throw broken(`the input of ${name} cannot be used (${parsed.why})`);
  return licence(block, parsed.input);
}
