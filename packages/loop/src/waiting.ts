import {
  appendMessage,
  type Message,
  restoreTurn,
  type ToolUseTurn,
  type UserMessage,
} from "@fullstop/core";
import type { Approve, Decision } from "./approval.ts";

/** A run that ended `waiting`, and what was decided since. */
export interface Waiting {
  /** `outcome.turn`, as it was or from JSON. Its calls are licensed anew: messages alone license nothing. */
  readonly turn: unknown;
  /** By the `id` of the call. `approve` is asked about calls that it does not name. */
  readonly decisions: Readonly<Record<string, Decision>>;
}
/** The same, after its checks. */
export interface Pending {
  readonly turn: ToolUseTurn;
  readonly decisions: ReadonlyMap<string, Decision>;
}

interface Scene {
  readonly messages: readonly Message[];
  readonly prompt: UserMessage["content"] | undefined;
  readonly approve: Approve | undefined;
}
/** Throws where the turn does not go on from these messages, or something would stay undecided without anybody to ask. */
export function pendingOf(
  { turn: stored, decisions }: Waiting,
  { messages, prompt, approve }: Scene,
): Pending {
  if (prompt !== undefined)
    throw new TypeError(
      "`prompt` cannot be combined with `waiting`: the results of the calls come first. Give the prompt to the next run, or through `steer`.",
    );
  const turn = restored(stored);
  const ids = turn.calls.map(({ id }) => id);
  const strange = Object.keys(decisions).find((id) => !ids.includes(id));
  if (strange !== undefined)
    throw new TypeError(
      `\`waiting.decisions\` names "${strange}", which is not the id of a call of \`waiting.turn\`.`,
    );
  const open = ids.find((id) => !Object.hasOwn(decisions, id) || decisions[id] === undefined);
  if (open !== undefined && approve === undefined)
    throw new TypeError(
      `\`waiting.decisions\` has no decision about call "${open}", and there is no \`approve\` to ask. Give one of them.`,
    );
  try {
    appendMessage([...messages], turn.message);
  } catch (cause) {
    throw new TypeError(
      "`waiting.turn` does not continue `messages`: take both from the same outcome.",
      { cause },
    );
  }
  return { turn, decisions: new Map(Object.entries(decisions)) };
}

function restored(stored: unknown): ToolUseTurn {
  const turn = restoreTurn(stored);
  if (turn.stopReason !== "tool-use")
    throw new TypeError(
      `\`waiting.turn\` has no calls to decide on: it ended with "${turn.stopReason}".`,
    );
  return turn;
}
