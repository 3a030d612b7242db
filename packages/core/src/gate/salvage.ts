import type { ToolCallBlock } from "../contract/message.ts";
import type { StopReason } from "../contract/stop.ts";
import type { ToolUseTurn, Turn, WithheldCall } from "../contract/turn.ts";
import { freezeDeep } from "../json/freeze.ts";
import { type PartialInput, parsePartialJson } from "../json/partial-json.ts";
import { parseInput } from "./calls.ts";
import { issueToolCall } from "./issued-calls.ts";
import { turnBase } from "./turn-base.ts";

const salvageable: ReadonlySet<StopReason> = new Set(["length", "interrupted"]);

/**
 * The one exception to "no cut call runs": the tool completes the input of the only withheld call,
 * and the call says so (`by: "loop"`). Works only after `length` or `interrupted`. Returns
 * `undefined` after other reasons, or if `read` completes nothing. `rules` stays that of the cut
 * reply: it says which rule failed.
 */
export function salvageTurn(
  turn: Turn,
  read: (call: WithheldCall, cut: PartialInput) => object | undefined,
): ToolUseTurn | undefined {
  const [held, another] = turn.withheld;
  if (!salvageable.has(turn.stopReason) || held?.name === undefined || another !== undefined)
    return undefined;
  const cut = held.kind === "text" ? undefined : readPartialInput(held.inputText);
  const completed = cut && read(held, cut);
  if (completed === undefined) return undefined;
  const inputText = JSON.stringify(completed);
  const parsed = parseInput(inputText, undefined);
  if ("reason" in parsed) return undefined;
  const block: ToolCallBlock = {
    type: "tool-call",
    id: held.id,
    name: held.name,
    inputText,
    by: "loop",
  };
  const prose =
    turn.message?.content ?? (turn.text === "" ? [] : [{ type: "text" as const, text: turn.text }]);
  const stopReason = "tool-use";
  const message = {
    role: "assistant" as const,
    ...turn.message,
    content: [...prose, block],
    stopReason,
  } as const;
  return freezeDeep<ToolUseTurn>({
    ...turnBase(turn),
    stopReason,
    message,
    calls: [issueToolCall(block, parsed.input)],
    withheld: [],
  });
}

/**
 * What arrived of an input, or of an object that was asked for. Undefined if the text is not the
 * beginning of an object. An empty text is the beginning of an object without members. The input may
 * be complete: a complete input is also withheld if the reply around it was cut.
 */
export function readPartialInput(text: string): PartialInput | undefined {
  const parsed = parseInput(text, undefined);
  if ("input" in parsed) return { complete: parsed.input };
  const cut = parsePartialJson(text);
  return cut === "invalid" || !/^\s*(?:\{|$)/.test(text) ? undefined : cut;
}
