import { appendMessage, type Message, type UserMessage } from "@fullstop/core";
import { stepIn } from "./journal.ts";
import type { Plan } from "./options.ts";
import { strangeIn } from "./shape.ts";

/** What is to be said to a run under way, in the words and under the name of whoever says it. */
export type Steer = () => readonly UserMessage[];

/** Adds what was said meanwhile, unless the provider wants its last turn back as it was. */
export async function listen(
  { steer, journal }: Plan,
  history: Message[],
  key: string,
): Promise<void> {
  if (steer === undefined || history.at(-1)?.role === "assistant") return;
  const run = async (): Promise<readonly UserMessage[]> => {
    const said = steer();
    const strange = strangeIn(said);
    if (strange !== undefined)
      throw new TypeError(`\`steer\` must give user messages: ${strange}.`);
    if (said.some(({ role }) => role !== "user"))
      throw new TypeError("`steer` must give user messages.");
    return said;
  };
  const said = await stepIn(
    journal,
    { key: `${key}/steering`, kind: "steering" },
    { run, passing: () => false },
  );
  for (const message of said) appendMessage(history, message);
}
