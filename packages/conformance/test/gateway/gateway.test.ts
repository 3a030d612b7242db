import { isFull } from "@tooling/test/full";
import { describe, expect, test } from "vitest";
import { playedReplies } from "../../src/gateway/corpus.ts";
import { gatewayClauses } from "../../src/gateway/index.ts";
import { replaceInReply } from "../../src/gateway/mutants.ts";
import { type Check, report } from "../../src/index.ts";
import type { WireName } from "../../src/replay/index.ts";
import { wires } from "../../src/wires/index.ts";
import { clausesWithoutMutant, mutantsOf } from "../mutants.ts";
import { brokenClauses, chatGuard, judgeGateway, readerOf, soundGateway } from "./gateways.ts";

/** How many replies a sound gateway gets. */
const sample = isFull ? undefined : 100;

const protocols = Object.keys(wires) as readonly WireName[];

test.for(protocols)("a gateway that passes %s on breaks nothing, byte for byte", async (front) => {
  const hasLong = isFull || front === "openai-chat";
  const verdicts = await judgeGateway({ protocol: front }, { sample, hasLong });
  expect(brokenClauses(verdicts)).toEqual([]);
  expect(verdicts.get("exact.bytes")).toMatchObject({ status: "kept" });
  expect(verdicts.get("upstream.results")?.checks).toBe(2);
  expect(verdicts.get("break.cut")?.checks).toBeGreaterThan(isFull ? 20 : 10);
});

test("a gateway that holds unfinished calls breaks nothing", async () => {
  const verdicts = await judgeGateway(chatGuard(await readerOf("openai-chat")), {
    sample,
    hasLong: isFull,
  });
  expect(brokenClauses(verdicts)).toEqual([]);
  expect(verdicts.get("exact.bytes")).toMatchObject({ status: "kept" });
});

test("replies that no source shows are a should for gateways, as for agents", () => {
  const kinds = (protocol: WireName, of: RegExp): readonly string[] => [
    ...new Set(playedReplies(protocol).flatMap(({ id, kind }) => (of.test(id) ? [kind] : []))),
  ];
  const stops = "(content-filter|malformed-tool-call)";
  expect(kinds("gemini", new RegExp(`call-${stops}`))).toEqual(["variant"]);
  expect(kinds("gemini", new RegExp(`/no-content-${stops}`))).toEqual(["documented"]);
  expect(kinds("openai-responses", /call-refusal/)).toEqual(["variant"]);
  expect(kinds("gemini", /call-length/)).toEqual(["documented"]);
});

const broken = mutantsOf(gatewayClauses);

/** The clauses that a broken gateway breaks beside the one that must catch it. */
const alsoBroken: Readonly<Record<string, readonly string[]>> = {
  "loses the second call": ["variant.finished"],
  "joins the second call to the first": ["break.reply", "variant.finished"],
  "changes an input": ["variant.finished"],
  "changes the ids of results": ["upstream.valid"],
  "answers an error with an empty finished reply": ["upstream.early"],
  "answers each error with the status 500": ["upstream.early"],
};

describe("every broken gateway is caught by its clause, and by few others", () => {
  test.for(broken)("$caughtBy catches a gateway that $wrong", async ({ caughtBy, ...mutant }) => {
    const others = alsoBroken[mutant.wrong] ?? [];
    const hasLong = isFull || [caughtBy, ...others].includes("upstream.early");
    const verdicts = await judgeGateway(mutant.subject(soundGateway), { hasLong });
    // How many replies left byte for byte is a note: then the clause is not asked.
    const isNote = caughtBy === "exact.bytes";
    expect(brokenClauses(verdicts)).toEqual(isNote ? [] : [caughtBy, ...others]);
    const verdict = verdicts.get(caughtBy);
    expect(verdict && report(verdict)).toMatch(isNote ? /a note: 0 of/ : /expected/);
  });
});

test("every clause has a mutant", () => {
  expect(clausesWithoutMutant(gatewayClauses)).toEqual([]);
});

/** A finding of the mutant of a clause. */
const findings: Readonly<Record<string, Partial<Check>>> = {
  "relabel.limit": { id: "openai-chat/one-call-length", severity: "a call runs that must not" },
  "relabel.calls": { expected: "tool_calls", actual: "stop" },
  "relabel.finished": { id: "openai-chat/one-call", severity: "a finished call is lost" },
  "loss.usage": { expected: "12 output tokens", actual: "0 output tokens" },
  "merge.errors": { id: "openai-chat/status-400-1", severity: "a detail is lost" },
  "break.repair": { id: "openai-chat/invalid-input", severity: "a call runs that must not" },
  "upstream.cap": { at: "max_completion_tokens", expected: "1024", actual: "no cap" },
  "upstream.tools": { at: "the tool save", actual: "the tool did not arrive" },
  "upstream.prompt": { at: "the instructions", actual: "did not arrive" },
  "upstream.results": { at: "the result of read", severity: "a reply or a request is broken" },
  "upstream.form": { actual: "no form, with the content type application/json" },
  "upstream.early": {
    id: "openai-chat/the-status-413-before-the-request-was-read",
    expected: "the status 413, and the next request gets its reply",
  },
  "upstream.once": { expected: "sent once", actual: "sent 2 times" },
};

test.for(Object.entries(findings))("a finding of %s says what differs", async ([id, finding]) => {
  const mutant = broken.find(({ caughtBy }) => caughtBy === id);
  const verdicts = await judgeGateway(mutant?.subject(soundGateway) ?? soundGateway, { only: id });
  expect(verdicts.get(id)?.broken).toContainEqual(expect.objectContaining(finding));
});

test("a finding shows what upstream sent and what came out in front", async () => {
  const stops = replaceInReply(
    "openai-chat/text-only-length",
    '"finish_reason":"length"',
    '"finish_reason":"stop"',
  );
  const verdicts = await judgeGateway(stops(soundGateway), { only: "relabel.limit" });
  const [check] = verdicts.get("relabel.limit")?.broken ?? [];
  expect(check?.bytes).toMatch(/^upstream sent: .*"finish_reason":"length"/s);
  expect(check?.output).toMatch(/^in front: status 200: .*"finish_reason":"stop"/s);
});

test("one check of a gateway can be asked alone, and an unknown one is an error", async () => {
  const limit = broken.find(({ caughtBy }) => caughtBy === "relabel.limit");
  const judge = (only: string) =>
    judgeGateway(limit?.subject(soundGateway) ?? soundGateway, { only });
  const verdicts = await judge("relabel.limit/openai-chat/one-call-length");
  expect([...verdicts.values()]).toMatchObject([
    { status: "broken", checks: 1, checkIds: ["openai-chat/one-call-length"] },
  ]);
  await expect(judge("relabel.limit/openai-chat/no-such-reply")).rejects.toThrow(
    'relabel.limit has no check "openai-chat/no-such-reply". It has openai-chat/one-call-length',
  );
});
