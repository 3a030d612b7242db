import { appendMessage, type UserMessage } from "@fullstop/core";
import { describeInvalid } from "../config/message-shape.ts";
import type { BeforeTurn, UpcomingTurn } from "../config/turn-changes.ts";
import { journaled } from "./journal.ts";
import { type State, turnKey } from "./state.ts";

/**
 * Calls `beforeTurn`, and adds its messages. A paused turn must be sent back as it was, so nothing
 * may follow it.
 */
export async function callBeforeTurn(state: State): Promise<void> {
  const { config, history, turnNumber } = state;
  const { beforeTurn, journal } = config;
  if (beforeTurn === undefined || history.at(-1)?.role === "assistant") return;
  const next = { messages: [...history], turn: turnNumber };
  const messages = await journaled(
    journal,
    { key: `${turnKey(state)}/before`, kind: "before-turn" },
    { run: () => addedMessages(beforeTurn, next), isTransient: () => false },
  );
  for (const message of messages) appendMessage(history, message);
}

async function addedMessages(
  beforeTurn: BeforeTurn,
  next: UpcomingTurn,
): Promise<readonly UserMessage[]> {
  const { messages = [] } = (await beforeTurn(next)) ?? {};
  const invalid = describeInvalid(messages);
  if (invalid !== undefined)
    throw new TypeError(`\`beforeTurn\` must return \`messages\` of users: ${invalid}.`);
  if (messages.some(({ role }) => role !== "user"))
    throw new TypeError("`beforeTurn` must return `messages` of users only.");
  return messages;
}
