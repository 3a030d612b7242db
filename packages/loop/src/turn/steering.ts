import { appendMessage, type UserMessage } from "@fullstop/core";
import { describeInvalid } from "../config/message-shape.ts";
import type { Steer } from "../config/ports.ts";
import { journaled } from "./journal.ts";
import { type State, turnKey } from "./state.ts";

/**
 * Adds the messages of `steer`. A paused turn must be sent back as it was, so nothing may follow
 * it.
 */
export async function appendSteering(state: State): Promise<void> {
  const { config, history } = state;
  const { steer, journal } = config;
  if (steer === undefined || history.at(-1)?.role === "assistant") return;
  const messages = await journaled(
    journal,
    { key: `${turnKey(state)}/steering`, kind: "steering" },
    { run: async () => callSteer(steer), isTransient: () => false },
  );
  for (const message of messages) appendMessage(history, message);
}

function callSteer(steer: Steer): readonly UserMessage[] {
  const messages = steer();
  const invalid = describeInvalid(messages);
  if (invalid !== undefined)
    throw new TypeError(`\`steer\` must return user messages: ${invalid}.`);
  if (messages.some(({ role }) => role !== "user"))
    throw new TypeError("`steer` must return user messages only.");
  return messages;
}
