import { appendMessage, type Message, restoreTurn, type ToolUseTurn } from "@fullstop/core";
import type { RunOptions, Waiting } from "./options.ts";
import type { ResumedTurn } from "./run-config.ts";

interface ResumeContext extends Pick<RunOptions, "prompt" | "approve"> {
  readonly messages: readonly Message[];
}

/** Throws if the turn does not continue these messages, or if a call would stay undecided. */
export function parseWaiting(
  { turn: stored, decisions = {}, results = {} }: Waiting,
  { messages, prompt, approve }: ResumeContext,
): ResumedTurn {
  if (prompt !== undefined)
    throw new TypeError(
      "`prompt` cannot be combined with `waiting`, because the results of the calls come first. Give the prompt to the next run, or use `beforeTurn`.",
    );
  const turn = restoreToolUseTurn(stored);
  const ids = turn.calls.map(({ id }) => id);
  const unknown = Object.keys(decisions).find((id) => !ids.includes(id));
  if (unknown !== undefined)
    throw new TypeError(
      `\`waiting.decisions\` names "${unknown}", which is not the id of a call of \`waiting.turn\`.`,
    );
  const undecided = ids.find((id) => !Object.hasOwn(decisions, id) || decisions[id] === undefined);
  if (undecided !== undefined && approve === undefined)
    throw new TypeError(
      `\`waiting.decisions\` has no decision about call "${undecided}". Add one, or give \`approve\`.`,
    );
  try {
    appendMessage([...messages], turn.message);
  } catch (cause) {
    throw new TypeError(
      "`waiting.turn` does not continue `messages`. Take both from the same outcome.",
      { cause },
    );
  }
  return {
    turn,
    decisions: new Map(Object.entries(decisions)),
    results: new Map(Object.entries(results)),
  };
}

function restoreToolUseTurn(stored: unknown): ToolUseTurn {
  const turn = restoreTurn(stored);
  if (turn.stopReason !== "tool-use")
    throw new TypeError(
      `\`waiting.turn\` has no calls to decide about: it ended with "${turn.stopReason}".`,
    );
  return turn;
}
