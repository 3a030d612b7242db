import type { AssistantMessage } from "@fullstop/core";
import { isFull } from "@tooling/test/full";
import { sampled } from "@tooling/test/sample";
import { describe, expect, test } from "vitest";
import { startConversation } from "./conversation.ts";
import { callsOf, list, read, textOf, tidyTheNotes } from "./script.ts";
import { type Speaker, speakers } from "./speakers.ts";

const pairs = Object.entries(speakers).flatMap(([first, a]) =>
  Object.entries(speakers).map(([second, b]) => ({ first, second, a, b })),
);
/** The first of the providers that have this wire. */
const firstOf = ({ wire }: Speaker): Speaker | undefined =>
  Object.values(speakers).find((speaker) => speaker.wire === wire);
/** Of the sample each other provider of a wire talks to itself and to the first one. */
const talking = pairs.filter(
  ({ a, b }) => isFull || a === b || b === firstOf(a) || (firstOf(a) === a && firstOf(b) === b),
);

describe("a conversation can change its provider at every turn", () => {
  test.for(talking)("$first and $second", ({ a, b }) => tidyTheNotes(a, b));
});

const continued = new Set(["stop", "tool-use", "pause", "length"]);
const others = Object.keys(speakers);
/**
 * Of the sample each fixture goes to one of the providers, in turn. The tests of its own provider send
 * it back to that one.
 */
const fixtures = pairs
  .filter(({ a }) => isFull || firstOf(a) === a)
  .flatMap(({ first, second, a, b }) =>
    (sampled(a).wire.fixtures ?? [])
      .filter(({ turn }) => continued.has(turn.stopReason))
      .filter((_, at) => isFull || (at + others.indexOf(second)) % others.length === 0)
      .map((fixture) => ({ first, second, a, b, fixture, name: fixture.name })),
  );

describe("thinking, server tools and other content of one provider go to another provider and back", () => {
  test.for(fixtures)("$first to $second: $name", async ({ a, b, fixture }) => {
    const talk = startConversation();
    talk.addUserMessage("Look it up.");
    const { message } = await talk.askForFrames(a, fixture.frames, fixture.turn.stopReason);
    if (a === b && leavesServerCallOpen(message)) return; // the provider would finish the call first
    if (talk.messages.at(-1)?.role !== "tool") talk.addUserMessage("Go on.");
    await talk.ask(b, callsOf(read, list));
    await talk.ask(a, textOf("Found."));
    talk.addUserMessage("Sure?");
    await talk.ask(b, textOf("Sure."));
  });
});

const leavesServerCallOpen = (message: AssistantMessage | undefined): boolean => {
  const natives = message?.content.filter((block) => block.type === "native") ?? [];
  return natives.some(
    ({ opens }) => opens !== undefined && !natives.some(({ closes }) => closes === opens),
  );
};

describe("the end of another protocol does not end a reply", () => {
  test.for(Object.entries(speakers))("%s", async ([, speaker]) => {
    const talk = startConversation();
    talk.addUserMessage("Tidy the notes.");
    const { upToTerminal } = talk.framesOf(speaker, callsOf(read));
    const frames = { upToTerminal: [...upToTerminal.slice(0, -1), "[DONE]"] };
    const { calls } = await talk.askForFrames(speaker, frames, "interrupted");
    expect(calls).toEqual([]);
  });
});
