import type { ToolCallBlock } from "../contract/message.ts";
import type { StopReason } from "../contract/stop.ts";
import type { ToolUseTurn, Turn, WithheldCall } from "../contract/turn.ts";
import { freezeDeep } from "../json/freeze.ts";
import { type PartialInput, readPrefix } from "../json/partial-json.ts";
import { parseInput } from "./calls.ts";
import { licence } from "./issued-calls.ts";

const salvageable: ReadonlySet<StopReason> = new Set(["length", "interrupted"]);

/**
 * The one exception to "nothing cut runs": a tool completes the input of the one call that was withheld, and says so (`by: "loop"`).
 * Only after `length` or `interrupted`; undefined where that does not hold, or `read` finds nothing to complete.
 */
export function salvageTurn(
  turn: Turn,
  read: (call: WithheldCall, cut: PartialInput) => object | undefined,
): ToolUseTurn | undefined {
  const [held, another] = turn.withheld;
  if (!salvageable.has(turn.stopReason) || held?.name === undefined || another !== undefined)
    return undefined;
  const cut = held.kind === "text" ? undefined : readCut(held.inputText);
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
  const { native, text, usage, requestId, sideEffects } = turn;
  return freezeDeep<ToolUseTurn>({
    ...(native && { native }),
    text,
    usage,
    ...(requestId !== undefined && { requestId }),
    ...(sideEffects && { sideEffects }),
    stopReason,
    message,
    calls: [licence(block, parsed.input)],
    withheld: [],
  });
}

/** A whole input is withheld too, where the reply around it was cut. */
function readCut(text: string): PartialInput | undefined {
  const parsed = parseInput(text, undefined);
  if ("input" in parsed) return { complete: parsed.input };
  const cut = readPrefix(text);
  return cut === "invalid" || !/^\s*(?:\{|$)/.test(text) ? undefined : cut;
}
