import { readFileSync } from "node:fs";
import { explain, type Message, validateHistory } from "@fullstop/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lintTranscript } from "../src/index.ts";
import { bodyOf, histories, refusals, senderNames } from "./requests.ts";

/** With reasoning, a call of a provider's own tool, a cut input, and an id that returns. */
const special: readonly Message[] = [
  { role: "user", content: "Begin." },
  {
    role: "assistant",
    content: [
      { type: "thinking", text: "Hm.", providerData: "sealed" },
      { type: "tool-call", id: "a.1", nativeId: "a", name: "read", inputText: "" },
      { type: "tool-call", id: "b", name: "write", inputText: '{"path":"x' },
    ],
  },
  {
    role: "tool",
    content: [
      { type: "tool-result", id: "a.1", name: "read", content: "" },
      { type: "tool-result", id: "b", name: "write", content: "It failed.", isError: true },
    ],
  },
  { role: "user", content: "Wait.", by: "loop" },
  {
    role: "assistant",
    content: [{ type: "tool-call", id: "a.2", nativeId: "a", name: "read", inputText: "{}" }],
  },
  { role: "tool", content: [{ type: "tool-result", id: "a.2", name: "read", content: "Done." }] },
];

describe.each(senderNames)("the requests of %s", (name) => {
  test("have no flaws, for any valid history", async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (messages) => {
        expect(validateHistory(messages)).toEqual([]);
        const body = await bodyOf(name, messages);
        expect(refusals(name, body)).toEqual([]);
        expect(lintTranscript(body)).toMatchObject({ shape: name, flaws: [] });
      }),
      { numRuns: 60 },
    );
  });

  test("have no flaws with reasoning, cut inputs and ids that return", async () => {
    const body = await bodyOf(name, special);
    expect(lintTranscript(body)).toMatchObject({ shape: name, flaws: [] });
  });
});

test("valid histories of this project have no flaws", () => {
  fc.assert(
    fc.property(histories, (messages) => {
      expect(lintTranscript(messages, { shape: "fullstop" }).flaws).toEqual([]);
    }),
  );
});

test("the sentence that is looked for is the one that the model gets", async () => {
  const source = readFileSync(new URL("../src/input-flaws.ts", import.meta.url), "utf8");
  expect(source).toContain("None of your tool calls");
  const { readTurn } = await import("@fullstop/core");
  const { openaiChat } = await import("@fullstop/provider-openai");
  const cut = {
    choices: [
      {
        index: 0,
        delta: {
          role: "assistant",
          tool_calls: [
            { index: 0, id: "a", type: "function", function: { name: "write", arguments: '{"pa' } },
          ],
        },
        finish_reason: "length",
      },
    ],
  };
  const fetch = async (): Promise<Response> =>
    new Response(`data: ${JSON.stringify(cut)}\n\ndata: [DONE]\n\n`, {
      headers: { "content-type": "text/event-stream" },
    });
  const turn = await readTurn(openaiChat("gpt-6", { apiKey: "key", fetch }), {
    messages: [{ role: "user", content: "Write." }],
  });
  const note = explain(turn).model;
  const reply = {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "a", type: "function", function: { name: "write", arguments: "{}" } }],
  };
  const flaws = lintTranscript([reply, { role: "user", content: note }]).flaws;
  expect(flaws.map(({ rule }) => rule)).toContain("denied-call");
});

test("an option that does not exist is refused, with the option that was probably meant", () => {
  const lint = (options: object) => () => lintTranscript([], options);
  expect(lint({ shpe: "anthropic" })).toThrow("Unknown option `shpe`. Did you mean `shape`?");
  expect(lint({ shape: "anthropics" })).toThrow("`shape`");
});
