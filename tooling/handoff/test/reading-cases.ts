import { appendMessage, type Message, readTurn, type StopReason } from "@fullstop/core";
import { expect } from "vitest";
import {
  asks,
  type Case,
  endingOtherwise,
  inputsComeWhole,
  list,
  read,
  reads,
  readsFixtures,
  runs,
  runsNothing,
  says,
  word,
  write,
} from "./cases.ts";
import { provider, sent } from "./provider.ts";
import type { Speaker } from "./speakers.ts";

const markup = '<tool_call>{"name":"write","arguments":{"path":"/srv/leaked.txt"}}</tool_call>';
const nested = { name: "read", id: "call_n1", input: { path: { a: 1 } } };

/** Where the pieces of an input come too, they say the whole of it: such a reply contradicts itself. */
const ofBroken = ({ wire }: Speaker): StopReason =>
  wire.name === "openai-responses" ? "interrupted" : "malformed-tool-call";

/** The cases that are about one reply. */
export const readingCases: Readonly<Record<string, Case>> = {
  "1. no word at the end, and complete arguments": async (speaker) => {
    const { upToTerminal } = asks(speaker, read);
    const { withheld } = await runsNothing(
      speaker,
      { upToTerminal: upToTerminal.slice(0, -1) },
      "interrupted",
    );
    expect(withheld.map(({ inputText }) => inputText)).toEqual([JSON.stringify(read.input)]);
    return undefined;
  },
  "2. no word at the end, and partial arguments": async (speaker) => {
    const { upToTerminal } = asks(speaker, read, write);
    for (let end = 0; end < upToTerminal.length - 1; end++)
      await runsNothing(speaker, { upToTerminal: upToTerminal.slice(0, end) }, "interrupted");
    return undefined;
  },
  "3. the word for calls, and arguments that only parse once they are closed": async (speaker) => {
    const cut = endingOtherwise(asks(speaker, read), 'xt"}', "x");
    if (cut === undefined) return inputsComeWhole;
    await runsNothing(speaker, cut, "malformed-tool-call");
    return undefined;
  },
  "4. the word for calls, and arguments cut right behind an inner brace": async (speaker) => {
    const cut = endingOtherwise(asks(speaker, nested), "1}}", "1}");
    if (cut === undefined) return inputsComeWhole;
    await runsNothing(speaker, cut, ofBroken(speaker));
    return undefined;
  },
  "5. two calls, one of them broken: neither runs": async (speaker) => {
    const orders = [
      [read, nested],
      [nested, read],
    ] as const;
    for (const blocks of orders) {
      const cut = endingOtherwise(asks(speaker, ...blocks), "1}}", "1}");
      if (cut === undefined) return inputsComeWhole;
      expect((await runsNothing(speaker, cut, ofBroken(speaker))).withheld).toHaveLength(2);
    }
    return undefined;
  },
  "7. the output cap, and complete arguments": async (speaker) => {
    expect(
      (await runsNothing(speaker, says(speaker, word(speaker, "length"), [read]), "length"))
        .withheld,
    ).toHaveLength(1);
    return undefined;
  },
  "8. a filter or a refusal, and complete arguments": async (speaker) => {
    for (const reason of ["content-filter", "refusal"] as const)
      if (word(speaker, reason) !== "")
        await runsNothing(speaker, says(speaker, word(speaker, reason), [read]), reason);
    return undefined;
  },
  "9. an incomplete response around a complete call": (speaker) =>
    readsFixtures(speaker, {
      "openai-responses": [
        "A completed call and its reasoning in an incomplete response",
        "The event for an incomplete response around a completed one",
      ],
    }),
  "10. a completed response of items that were never done, or have another status": (speaker) =>
    readsFixtures(speaker, {
      "openai-responses": [
        "A call that is complete in the final response, but has no `done` event",
        "A call that only the final response has",
        "A `done` call without a status",
        "Arguments that are `done`, but an item that is not",
        "Arguments that are `done`, and an item that is `done` with the status `incomplete`",
        "Arguments that are `done`, and an item that is `done` with the status `in_progress`",
        "An item that is `done` with the status `in_progress`, and `completed` in the final response",
        "A call that is `done`, and `incomplete` in the final response",
        "The event for a completed response around one without a status",
      ],
    }),
  "11. a frame that cannot be read in the middle of the arguments": async (speaker) => {
    const { upToTerminal } = asks(speaker, read, write);
    for (let at = 1; at < upToTerminal.length; at++)
      await runsNothing(
        speaker,
        { upToTerminal: upToTerminal.toSpliced(at, 0, '{"torn":') },
        "interrupted",
      );
    return undefined;
  },
  "12. a word that nobody knows, and calls": async (speaker) => {
    const { error } = (await runsNothing(
      speaker,
      says(speaker, "x_later_word", [read]),
      "unknown",
    )) as { readonly error?: Error };
    expect(error?.message).toContain("x_later_word");
    return undefined;
  },
  "13. [DONE] without a word": async (speaker) => {
    const { upToTerminal } = asks(speaker, read);
    await runsNothing(
      speaker,
      { upToTerminal: [...upToTerminal.slice(0, -1), "[DONE]"] },
      "interrupted",
    );
    return undefined;
  },
  "14. an end without a word, and the word for calls while a block is open": (speaker) =>
    readsFixtures(speaker, {
      "anthropic-messages": [
        "An end without `message_delta`",
        "A block that stays open under the stop reason `tool_use`",
      ],
    }),
  "15. parallel calls without an index or an id, and ids or indices that are reused": async (
    speaker,
  ) => {
    const twins = [read, { ...write, id: read.id }];
    const { calls } = await reads(speaker, asks(speaker, ...twins));
    expect(calls.map(({ name }) => name)).toEqual(["read", "write"]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    await readsFixtures(speaker, {
      "openai-chat": [
        "Complete calls without an index",
        "Calls without ids",
        "Two calls with one id",
        "Two calls with the same index",
      ],
      "openai-responses": ["Events without an output index", "Every item at one output index"],
      "gemini-generate-content": ["Two calls in one chunk, without ids", "Two calls with one id"],
      "anthropic-messages": ["Parallel calls whose deltas are interleaved"],
    });
    return undefined;
  },
  "16. the word for a finished text, and a complete call, with and without text": async (
    speaker,
  ) => {
    for (const blocks of [[read], [{ text: "I read." }, read]]) {
      const turn = await reads(speaker, says(speaker, word(speaker, "stop"), blocks));
      expect([turn.stopReason, turn.calls.map(({ name }) => name)]).toEqual(["tool-use", ["read"]]);
    }
    return undefined;
  },
  "17. a refusal, then the word for a finished text": (speaker) =>
    readsFixtures(speaker, {
      "openai-chat": ["A refusal under the stop reason `stop`", "A refusal after a complete call"],
      "openai-responses": [
        "A refusal as text",
        "A refusal after a completed call",
        "A refusal that the final response does not repeat",
      ],
      "anthropic-messages": ["A refusal with details after a complete call"],
    }),
  "20. a call written as text in a reply that was cut": async (speaker) => {
    for (const stop of ["length", "stop"] as const) {
      const turn = await runsNothing(
        speaker,
        says(speaker, word(speaker, stop), [{ text: markup }]),
        stop,
      );
      expect([turn.text, turn.withheld]).toEqual([markup, []]);
    }
    const { ran } = await runs(speaker, [
      says(speaker, word(speaker, "length"), [{ text: markup }]),
    ]);
    expect(ran).toEqual([]);
    return undefined;
  },
  "21. a paused turn with a call of the client's": async (speaker) => {
    const paused = word(speaker, "pause");
    if (paused === "") return "the protocol has no word for a pause";
    const frames = says(speaker, paused, [{ text: "Searching." }, read]);
    expect((await runsNothing(speaker, frames, "pause")).withheld).toHaveLength(1);
    return undefined;
  },
  "22. two ids that the target's rule makes one": async (speaker) => {
    const ids = ["call.1:a", "call.1/a", "call 1 a", `${"x".repeat(80)}1`, `${"x".repeat(80)}2`];
    const messages: Message[] = [{ role: "user", content: "Go." }];
    const from = { provider: "elsewhere", protocol: "other", model: "one" };
    const content = ids.map(
      (id) =>
        ({ type: "tool-call", id, nativeId: id, name: "read", inputText: '{"path":"a"}' }) as const,
    );
    appendMessage(messages, { role: "assistant", from, content });
    appendMessage(messages, {
      role: "tool",
      content: ids.map((id) => ({ type: "tool-result", id, name: "read", content: `of ${id}` })),
    });
    const { endpoint, violations, bodies } = provider(speaker.wire, () =>
      sent(asks(speaker, list), { kind: "none" }),
    );
    const tools = [{ name: "read", description: "Read.", inputSchema: { type: "object" } }];
    await readTurn(speaker.adapter(endpoint), { messages, tools });
    expect(violations).toEqual([]);
    for (const id of ids) expect(bodies[0]).toContain(`of ${id}`);
    return undefined;
  },
  "23. an error behind a complete call": async (speaker) => {
    const [error] = speaker.wire.errors ?? [];
    if (error === undefined) return "the protocol has no error inside a reply";
    const { upToTerminal } = asks(speaker, { text: "I read." }, read);
    const turn = await reads(speaker, {
      upToTerminal: [...upToTerminal.slice(0, -1), error.frame],
    });
    expect(turn).toMatchObject({
      calls: [],
      withheld: [{ name: "read" }],
      error: { kind: error.kind },
    });
    expect(turn.message).toBeUndefined();
    return undefined;
  },
};
