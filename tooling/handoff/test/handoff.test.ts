import type { AssistantMessage } from "@fullstop/core";
import { describe, expect, test } from "vitest";
import { type Block, converse, type Said } from "./conversation.ts";
import { type Speaker, speakers } from "./speakers.ts";

const read: Block = { name: "read", input: { path: "notes.txt" } };
const write: Block = { name: "write", input: { path: "out.txt", content: "one\ntwo" } };
const list: Block = { name: "list", input: {} };
const asks = (...blocks: readonly Block[]): Said => ({ blocks, stop: "tool-use" });
const answers = (text: string): Said => ({ blocks: [{ text }], stop: "stop" });

const pairs = Object.entries(speakers).flatMap(([first, a]) =>
  Object.entries(speakers).map(([second, b]) => ({ first, second, a, b })),
);

describe("a conversation that changes its provider at every turn", () => {
  test.for(pairs)("$first and $second", async ({ a, b }) => {
    const talk = converse();
    talk.person("Tidy the notes.");
    await talk.says(a, asks({ text: "I read them." }, read));
    await talk.says(b, asks(read, write, list));
    await cut(a);
    await talk.says(b, asks(list, list));
    await dropped(a);
    await talk.says(a, answers("Half of it is done."));
    talk.person("And the other half?");
    await talk.says(b, asks({ text: "Now that." }, read, read));
    await talk.says(a, answers("All of it is done."));
    talk.person("Thank you.");
    await talk.says(b, answers("You are welcome."));
    expect(talk.messages.filter(({ role }) => role === "assistant").length).toBeGreaterThanOrEqual(
      8,
    );
    expect(JSON.stringify(talk.messages)).not.toContain("withheld.txt");

    /** Its text stays, its call does not, and the loop's note follows. */
    async function cut(speaker: Speaker): Promise<void> {
      const withheld = { name: "write", input: { path: "withheld.txt" } };
      const turn = await talk.says(speaker, {
        blocks: [{ text: "Too much at once." }, withheld],
        stop: "length",
      });
      expect(turn.withheld).toHaveLength(1);
      talk.person("Your reply was cut off. Send less at once.");
    }
    /** Nothing of it stays. */
    async function dropped(speaker: Speaker): Promise<void> {
      const { upToTerminal } = talk.frames(speaker, asks(read));
      const turn = await talk.replies(
        speaker,
        { upToTerminal: upToTerminal.slice(0, -1) },
        "interrupted",
      );
      expect(turn.message).toBeUndefined();
    }
  });
});

const continued = new Set(["stop", "tool-use", "pause", "length"]);
const handedOn = pairs.flatMap(({ first, second, a, b }) =>
  (a.wire.fixtures ?? [])
    .filter(({ turn }) => continued.has(turn.stopReason))
    .map((fixture) => ({ first, second, a, b, fixture, name: fixture.name })),
);

describe("thinking, server tools and what else only one provider says, handed on and back", () => {
  test.for(handedOn)("$first to $second: $name", async ({ a, b, fixture }) => {
    const talk = converse();
    talk.person("Look it up.");
    const { message } = await talk.replies(a, fixture.frames, fixture.turn.stopReason);
    if (a === b && leavesServerCallOpen(message)) return; // its provider would finish the call first
    if (talk.messages.at(-1)?.role !== "tool") talk.person("Go on.");
    await talk.says(b, asks(read, list));
    await talk.says(a, answers("Found."));
    talk.person("Sure?");
    await talk.says(b, answers("Sure."));
  });
});

const leavesServerCallOpen = (message: AssistantMessage | undefined): boolean => {
  const natives = message?.content.filter((block) => block.type === "native") ?? [];
  return natives.some(
    ({ opens }) => opens !== undefined && !natives.some(({ closes }) => closes === opens),
  );
};
