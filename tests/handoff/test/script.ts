import { expect } from "vitest";
import { type Block, type ReplyContent, startConversation } from "./conversation.ts";
import type { Speaker } from "./speakers.ts";

export const read: Block = { name: "read", input: { path: "notes.txt" } };
const write: Block = { name: "write", input: { path: "out.txt", content: "one\ntwo" } };
export const list: Block = { name: "list", input: {} };
export const callsOf = (...blocks: readonly Block[]): ReplyContent => ({
  blocks,
  stop: "tool-use",
});
export const textOf = (text: string): ReplyContent => ({ blocks: [{ text }], stop: "stop" });

/** A conversation of nine replies that two providers write in turns. Two replies are cut. */
export async function tidyTheNotes(a: Speaker, b: Speaker): Promise<void> {
  const talk = startConversation();
  talk.addUserMessage("Tidy the notes.");
  await talk.ask(a, callsOf({ text: "I read them." }, read));
  await talk.ask(b, callsOf(read, write, list));
  await truncatedReply(a);
  await talk.ask(b, callsOf(list, list));
  await interruptedReply(a);
  await talk.ask(a, textOf("Half of it is done."));
  talk.addUserMessage("And the other half?");
  await talk.ask(b, callsOf({ text: "Now that." }, read, read));
  await talk.ask(a, textOf("All of it is done."));
  talk.addUserMessage("Thank you.");
  await talk.ask(b, textOf("You are welcome."));
  expect(talk.messages.filter(({ role }) => role === "assistant").length).toBeGreaterThanOrEqual(8);
  expect(JSON.stringify(talk.messages)).not.toContain("withheld.txt");

  /** The text stays in the history and the call does not; the loop's note follows. */
  async function truncatedReply(speaker: Speaker): Promise<void> {
    const withheld = { name: "write", input: { path: "withheld.txt" } };
    const turn = await talk.ask(speaker, {
      blocks: [{ text: "Too much at once." }, withheld],
      stop: "length",
    });
    expect(turn.withheld).toHaveLength(1);
    talk.addUserMessage("Your reply was cut off. Send less at once.");
  }
  /** Nothing of the reply stays in the history. */
  async function interruptedReply(speaker: Speaker): Promise<void> {
    const { upToTerminal } = talk.framesOf(speaker, callsOf(read));
    const turn = await talk.askForFrames(
      speaker,
      { upToTerminal: upToTerminal.slice(0, -1) },
      "interrupted",
    );
    expect(turn.message).toBeUndefined();
  }
}
