import { appendMessage, type Message, type UserMessage } from "@fullstop/core";

/** What is to be said to a run under way, in the words and under the name of whoever says it. */
export type Steer = () => readonly UserMessage[];

/** Adds what was said meanwhile, unless the provider wants its last turn back as it was. */
export function listen(steer: Steer | undefined, history: Message[]): void {
  if (steer === undefined || history.at(-1)?.role === "assistant") return;
  for (const message of steer()) {
    if (message?.role !== "user") throw new TypeError("`steer` must give user messages.");
    appendMessage(history, message);
  }
}
