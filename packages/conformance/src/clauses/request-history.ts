import type { AssistantMessage, Message, ToolMessage, ToolResultBlock, Turn } from "@fullstop/core";
import type { Origin } from "@fullstop/core/adapter";
import type { ClauseTable } from "../clause.ts";
import { render, utf8, waysFor } from "../harness/bytes.ts";
import { type Check, withBytes } from "../harness/check.ts";
import { checkRequest, firstMessages, type Harness, sentBody } from "../harness/harness.ts";
import { nestedValues, tryParseJson } from "../harness/json.ts";
import { callShapes, repliesFor } from "../harness/scenarios.ts";
import { changeAdapter, changeMessages } from "./mutants.ts";

/** What is left of a character if a text is cut by its length. */
const halfCharacter = "\ud83d";

const turnWithCall = (inputText: string, result: string): readonly Message[] => [
  { role: "assistant", content: [{ type: "tool-call", id: "call_1", name: "read", inputText }] },
  { role: "tool", content: [{ type: "tool-result", id: "call_1", name: "read", content: result }] },
];

const historiesWithHalves: Readonly<Record<string, readonly Message[]>> = {
  "in a message of the user": [{ role: "user", content: `Go${halfCharacter}` }],
  "in a result": [...firstMessages, ...turnWithCall("{}", `Read ${halfCharacter}`)],
  "in an input": [...firstMessages, ...turnWithCall(`{"path":"${halfCharacter}"}`, "Read.")],
  "in an input, as an escape": [
    ...firstMessages,
    ...turnWithCall(String.raw`{"path":"\ud83d"}`, "Read."),
  ],
};

/** Whether a string holds half a character, also inside JSON that the string holds. */
const holdsHalf = (value: unknown): boolean =>
  typeof value === "string" &&
  (!value.isWellFormed() ||
    [...nestedValues(tryParseJson(value))].some((inner) => inner !== value && holdsHalf(inner)));

async function* checkCharacters(harness: Harness): AsyncGenerator<Check> {
  const expected = "whole characters";
  for (const [at, messages] of Object.entries(historiesWithHalves)) {
    const body = await sentBody(harness, { messages });
    const found = [...nestedValues(tryParseJson(body))].some(holdsHalf)
      ? "half a character"
      : expected;
    yield withBytes({ at, expected, actual: body === "" ? "no request" : found }, utf8(body));
  }
}

const otherOrigin: Origin = { provider: "x-elsewhere", protocol: "x-protocol", model: "x-model" };

const foreignData = "x-sealed-for-somebody-else";

const foreignTurn = (id: string): readonly [AssistantMessage, ToolMessage] => [
  {
    role: "assistant",
    from: otherOrigin,
    content: [
      { type: "thinking", text: "Let me think.", providerData: { signature: foreignData } },
      { type: "native", data: { type: "x_server_call", payload: foreignData } },
      { type: "text", text: "I will read.", providerData: foreignData },
      {
        type: "tool-call",
        id,
        nativeId: id,
        name: "read",
        inputText: '{"path": "/srv"}',
        providerData: foreignData,
      },
    ],
  },
  {
    role: "tool",
    content: [{ type: "tool-result", id, name: "read", content: `Read by ${id.length}.` }],
  },
];

/** Ids of other providers: too long, with refused characters, or equal once they are shortened. */
const foreignIds: Readonly<Record<string, readonly string[]>> = {
  "ids of 450 characters that differ at their ends": [
    `fc_${"a".repeat(446)}1`,
    `fc_${"a".repeat(446)}2`,
  ],
  "ids with dots, colons and bars": ["functions.read:0", "functions.read:1", "call|1", "call_1"],
  "ids in other scripts": ["呼び出し-1", "呼び出し-2"],
};

async function* checkForeignHistories(harness: Harness): AsyncGenerator<Check> {
  for (const [at, ids] of Object.entries(foreignIds)) {
    const messages: readonly Message[] = [
      ...firstMessages,
      ...ids.flatMap(foreignTurn),
      { role: "user", content: "Now you." },
    ];
    yield checkRequest(harness, at, messages);
    const values = [...nestedValues(tryParseJson(await sentBody(harness, { messages })))];
    const actual = values.includes(foreignData) ? "sent" : "left out";
    yield { at: `${at}, provider data of the other`, expected: "left out", actual };
  }
}

const numberedText = (index: number): string => `The result numbered ${index}.`;

type MakeResult = (call: Turn["calls"][number], index: number) => ToolResultBlock;

const resultKinds: Readonly<Record<string, MakeResult>> = {
  "plain results": ({ id, name }, index) => ({
    type: "tool-result",
    id,
    name,
    content: numberedText(index),
  }),
  "failed results": ({ id, name }, index) => ({
    type: "tool-result",
    id,
    name,
    content: numberedText(index),
    isError: true,
  }),
  "results in blocks": ({ id, name }, index) => ({
    type: "tool-result",
    id,
    name,
    content: [{ type: "text", text: numberedText(index) }],
  }),
};

async function* checkResults(harness: Harness): AsyncGenerator<Check> {
  const note: Message = { role: "user", content: "Be quick." };
  for (const [number, { name, reply }] of repliesFor(harness.wire, callShapes).entries()) {
    const turn = await harness.read(render(harness.wire, harness.wire.frames(reply)).bytes);
    if (turn.message === undefined) continue;
    for (const [kind, makeResult] of waysFor(Object.entries(resultKinds), number, harness)) {
      const results: Message = { role: "tool", content: turn.calls.map(makeResult) };
      const messages: readonly Message[] = [...firstMessages, turn.message, results];
      const body = tryParseJson(await sentBody(harness, { messages }));
      const found = [...nestedValues(body)].filter(
        (value) => typeof value === "string" && value.startsWith("The result numbered "),
      );
      yield {
        at: `${name}, ${kind}`,
        expected: turn.calls.map((_, index) => numberedText(index)).join(" "),
        actual: found.join(" "),
      };
      yield checkRequest(harness, `${name}, ${kind}, the rules`, messages);
      yield checkRequest(harness, `${name}, ${kind} and a note`, [...messages, note]);
    }
  }
}

/** Cuts a result in the middle of its last character. */
const cutResult = (result: ToolResultBlock): ToolResultBlock => ({
  ...result,
  content: `${result.content}📄`.slice(0, -1),
});

export const requestHistoryClauses: ClauseTable = {
  "request.foreign": {
    rule: "A history that another provider wrote can be sent: its ids are made valid and still match, and provider data of the other is left out.",
    references: {
      "earendil-works/pi#198, openclaw/openclaw#7107": "ids of 450 characters if 40 are allowed",
      "earendil-works/pi#6996": "signatures of another model are a 400",
    },
    adapter: { check: checkForeignHistories },
    mutants: {
      "sends ids as other providers wrote them": changeAdapter(() => ({
        callIds: { maxLength: Number.POSITIVE_INFINITY, allowed: /./ },
      })),
    },
  },
  "request.results": {
    rule: "The next request holds the result of every call that ran, once and in order, and keeps the vendor's rules, also with a note after the results.",
    references: {
      "NousResearch/hermes-agent#88324": "results were lost when ids were deduplicated",
      "anthropics/claude-code#18947": "results apart from their calls",
    },
    adapter: { check: checkResults },
    mutants: {
      "sends only the last result of a turn": changeMessages((message) => [
        message.role === "tool" ? { ...message, content: message.content.slice(-1) } : message,
      ]),
    },
  },
  "request.characters": {
    rule: "Half a character in a history, as it is left when a text is cut by its length, is not sent: hosts refuse such a request and all later ones.",
    references: {
      "anthropics/claude-code#56064, elizaOS/eliza#18079, JohnnyZ93/oai-compatible-copilot#302":
        "one half of an emoji in a tool's output ended the session",
    },
    adapter: { check: checkCharacters },
    mutants: {
      "cuts results at a length, also inside a character": changeMessages((message) => [
        message.role === "tool" ? { ...message, content: message.content.map(cutResult) } : message,
      ]),
    },
  },
};
