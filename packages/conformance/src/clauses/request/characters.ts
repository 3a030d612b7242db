import type { Message } from "@fullstop/core";
import { parseJson, utf8 } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { parts, sentBody } from "../../harness/history.ts";
import { withBytes, defaultRequest } from "../../harness/harness.ts";

/** What is left of a sign where a text was cut by its length. */
const half = "\ud83d";

/** A turn of one call, with its result. */
const turn = (inputText: string, result: string): readonly Message[] => [
  { role: "assistant", content: [{ type: "tool-call", id: "call_1", name: "read", inputText }] },
  { role: "tool", content: [{ type: "tool-result", id: "call_1", name: "read", content: result }] },
];
const places: Readonly<Record<string, readonly Message[]>> = {
  "in what a person says": [{ role: "user", content: `Go${half}` }],
  "in a result": [...defaultRequest.messages, ...turn("{}", `Read ${half}`)],
  "in an input": [...defaultRequest.messages, ...turn(`{"path":"${half}"}`, "Read.")],
  "in an input, as an escape": [
    ...defaultRequest.messages,
    ...turn(String.raw`{"path":"\ud83d"}`, "Read."),
  ],
};

/** Also inside the JSON that a string holds. */
const isCut = (value: unknown): boolean =>
  typeof value === "string" &&
  (!value.isWellFormed() ||
    [...parts(parseJson(value))].some((part) => part !== value && isCut(part)));

export const characters: Clause = {
  id: "request.characters",
  rule: "Half a character in a history, as cutting a text by its length leaves it, is not sent: hosts refuse such a request, and every later one.",
  level: "must",
  because:
    "claude-code#56064, elizaOS/eliza#18079, oai-compatible-copilot#271: one half of an emoji in a tool's output ended the session",
  async *check(harness) {
    for (const [at, messages] of Object.entries(places)) {
      const body = await sentBody(harness, { messages });
      const found = [...parts(parseJson(body))].some(isCut);
      const expected = "whole characters";
      yield withBytes(
        {
          at,
          expected,
          actual: body === "" ? "no request" : found ? "half a character" : expected,
        },
        utf8(body),
      );
    }
  },
};
