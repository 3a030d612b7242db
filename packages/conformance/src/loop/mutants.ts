import type { Message, ToolCall, ToolResultBlock, Turn } from "@fullstop/core";
import { alterTurn, changeTurns, runWithheld } from "../clauses/mutants.ts";
import type { AdapterSubject, LoopSubject } from "../subject.ts";
import { loopAround, smallLoop } from "./small-loop.ts";

type BrokenLoop = (sound: AdapterSubject) => LoopSubject;

const longChars = 400;

/** The core takes a cut far below the cap for a full window. */
const isBelowCap = ({ stopReason, usage }: Turn): boolean =>
  (stopReason === "length" || stopReason === "context-window") && (usage.output ?? 0) < 100;

export const runBelowCap: BrokenLoop = loopAround(
  changeTurns((turn) => (isBelowCap(turn) ? runWithheld(turn) : turn)),
);

const shorten = ({ input, ...call }: ToolCall): object => ({
  ...call,
  input: Object.fromEntries(
    Object.entries(input as object).map(([key, value]) => [
      key,
      typeof value === "string" ? value.slice(0, longChars) : value,
    ]),
  ),
});

export const runBeginnings: BrokenLoop = loopAround(
  changeTurns((turn) => alterTurn(turn, { calls: turn.calls.map(shorten) })),
);

/** The message, and a result for each call that it names: made up if the call did not run. */
function withEveryResult(
  { message }: Turn,
  results: readonly ToolResultBlock[],
): readonly Message[] {
  if (message === undefined) return [];
  const content = message.content.flatMap((block): readonly ToolResultBlock[] => {
    if (block.type !== "tool-call") return [];
    const { id, name = "" } = block;
    const made: ToolResultBlock = { type: "tool-result", id, name, content: "Wrote it." };
    return [results.find((result) => result.id === id) ?? made];
  });
  return [message, { role: "tool", content }];
}

export const runTwoCalls: BrokenLoop = (sound) =>
  smallLoop(changeTurns((turn) => alterTurn(turn, { calls: turn.calls.slice(0, 2) }))(sound), {
    history: withEveryResult,
  });

const wasLong = ({ withheld }: Turn): boolean =>
  withheld.some(({ reason, inputText }) => reason === "input-cut" && inputText.length > longChars);

export const repairLongInputs: BrokenLoop = loopAround(
  changeTurns((turn) => (wasLong(turn) ? runWithheld(turn) : turn)),
);
