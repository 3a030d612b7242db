import type { Message } from "@fullstop/core";
import { runs } from "@tooling/test/property";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fixTranscript, type LintRule, lintTranscript } from "../src/index.ts";
import {
  type Body,
  bodyOf,
  histories,
  listOf,
  refusals,
  senderNames,
  violations,
  withList,
} from "./requests.ts";

/** Damages that clients do: messages that are lost, sent twice, or moved. */
const damage = fc.array(
  fc.record({ kind: fc.constantFrom("drop", "repeat", "swap"), at: fc.nat(12) }),
  { minLength: 1, maxLength: 3 },
);
type Damage = typeof damage extends fc.Arbitrary<infer T> ? T : never;

/** The parts of a message that holds calls or results in a list. */
const partsOf = (message: Body): readonly unknown[] | undefined => {
  const parts = message["content"] ?? message["parts"];
  return Array.isArray(parts) && message["type"] === undefined ? parts : undefined;
};

function apply(list: readonly Body[], damages: Damage): readonly Body[] {
  return damages.reduce<readonly Body[]>(
    (before, { kind, at }) => damageOne(before, kind, at),
    list,
  );
}

function damageOne(list: readonly Body[], kind: string, at: number): readonly Body[] {
  const index = at % list.length;
  const message = list[index] ?? {};
  const parts = partsOf(message);
  if (kind === "repeat") return list.toSpliced(index, 0, message);
  if (kind === "swap") return list.with(index, list[0] ?? {}).with(0, message);
  if (parts !== undefined && parts.length > 1 && at % 2 === 0) {
    const member = message["parts"] === undefined ? "content" : "parts";
    return list.with(index, { ...message, [member]: parts.slice(1) });
  }
  return list.length > 1 ? list.toSpliced(index, 1) : list;
}

/** Sentences of the vendors about calls and their results. */
const aboutPairs =
  /tool_use|tool_result|tool_call|'tool'|tool output|tool call|function (call|response)|several results|two outputs|single result/i;
/** Rules about the order of other messages, which no repair of calls can keep. */
const aboutOrder = /must use the user role|comes immediately after a user turn|prefill/i;

const sentencesOf = (found: readonly { readonly message: string }[]): readonly string[] =>
  found
    .map(({ message }) => message)
    .filter((message) => aboutPairs.test(message) && !aboutOrder.test(message));

describe.each(senderNames)("damaged requests of %s", (name) => {
  test("are clean after the repair, and the vendor's rules agree", async () => {
    await fc.assert(
      fc.asyncProperty(histories, damage, async (messages, damages) => {
        const body = await bodyOf(name, messages);
        const damaged = withList(name, body, apply(listOf(name, body), damages));
        const before = structuredClone(damaged);
        const { transcript, fixed, left } = fixTranscript(damaged, { shape: name });
        expect(damaged).toEqual(before);
        expect(left.filter(({ fixable }) => fixable)).toEqual([]);
        expect(lintTranscript(transcript, { shape: name }).flaws).toEqual(left);
        expect(fixTranscript(transcript, { shape: name }).transcript).toBe(transcript);
        if (fixed.length === 0) expect(transcript).toBe(damaged);
        expect(sentencesOf(refusals(name, transcript))).toEqual([]);
      }),
      { numRuns: runs(160) },
    );
  });
});

const callOf = (id: string, name: string) => ({
  type: "tool-call" as const,
  id,
  name,
  inputText: '{"path":"a"}',
});
const resultOf = (id: string, name: string) => ({
  type: "tool-result" as const,
  id,
  name,
  content: "Hi.",
  isError: false,
});
/** Two contents of Gemini's model in a row whose calls have other names than the results. */
const callsInTwoContents: readonly [readonly Message[], Damage] = [
  [
    { role: "user", content: "Begin." },
    { role: "assistant", content: [callOf("call_0", "read"), callOf("call_1", "write")] },
    { role: "tool", content: [resultOf("call_0", "read"), resultOf("call_1", "write")] },
    { role: "assistant", content: [callOf("call_2", "read")] },
    { role: "tool", content: [resultOf("call_2", "read")] },
    { role: "user", content: "Go on." },
  ],
  [
    { kind: "drop", at: 6 },
    { kind: "repeat", at: 1 },
    { kind: "drop", at: 0 },
  ],
];

const pairRules: ReadonlySet<LintRule> = new Set(["call-without-result", "result-without-call"]);
describe.each(senderNames)("what is said about damaged requests of %s", (name) => {
  test("is what the vendor's rules say", async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(histories, damage, async (messages, damages) => {
        const body = await bodyOf(name, messages);
        const damaged = withList(name, body, apply(listOf(name, body), damages));
        const { flaws } = lintTranscript(damaged, { shape: name });
        if (flaws.some(({ rule }) => pairRules.has(rule)))
          expect(sentencesOf(violations(name, damaged))).not.toEqual([]);
        const certain = sentencesOf(refusals(name, damaged));
        refused += certain.length;
        if (certain.length > 0) expect(flaws).not.toEqual([]);
      }),
      { numRuns: runs(160), examples: [callsInTwoContents] },
    );
    expect(refused).toBeGreaterThan(0);
  });
});

test("damaged histories of this project are clean after the repair", () => {
  fc.assert(
    fc.property(histories, damage, (messages, damages) => {
      const damaged = apply(messages as unknown as readonly Body[], damages);
      const { transcript, left } = fixTranscript(damaged, { shape: "fullstop" });
      expect(left).toEqual([]);
      expect(lintTranscript(transcript, { shape: "fullstop" }).flaws).toEqual([]);
    }),
    { numRuns: runs(1000) },
  );
});
