import { expect, test } from "vitest";
import type { Verdict } from "../../src/index.ts";
import type { WireName } from "../../src/replay/index.ts";
import { brokenClauses, chatGuard, judgeGateway, readerOf, type SmallGateway } from "./gateways.ts";

const protocols: readonly WireName[] = ["anthropic", "openai-chat", "openai-responses", "gemini"];

test.for(protocols)("a gateway that passes %s on breaks nothing, byte for byte", async (front) => {
  const verdicts = await judgeGateway({}, { front });
  expect(brokenClauses(verdicts)).toEqual([]);
  expect(verdicts.get("exact.bytes")).toMatchObject({ status: "kept" });
  expect(verdicts.get("upstream.results")?.checks).toBe(2);
  expect(verdicts.get("break.cut")?.checks).toBeGreaterThan(20);
});

test("a gateway that holds unfinished calls breaks nothing", async () => {
  const verdicts = await judgeGateway(chatGuard(await readerOf("openai-chat")));
  expect(brokenClauses(verdicts)).toEqual([]);
  expect(verdicts.get("exact.bytes")).toMatchObject({ status: "kept" });
});

/** The text with each event changed; an event that becomes `undefined` is left out. */
const mapEvents = (text: string, change: (data: string) => string | undefined): string =>
  text
    .split("\n\n")
    .flatMap((event) => {
      const data = /^data: (.*)$/.exec(event)?.[1];
      const changed = data === undefined ? event : change(data);
      if (changed === undefined) return [];
      return [data === undefined ? event : `data: ${changed}`];
    })
    .join("\n\n");

const replaceText = (from: string | RegExp, to: string): SmallGateway => ({
  answer: (answer) => ({ ...answer, text: answer.text.replaceAll(from, to) }),
});

const replaceInRequest = (from: string | RegExp, to: string): SmallGateway => ({
  request: (body) => body.replaceAll(from, to),
});

/** A fault, the clauses that it must break, and a finding with its severity. */
interface Control {
  readonly fault: string;
  readonly gateway: SmallGateway;
  /** Only these replies are played, to save time. */
  readonly reply?: string;
  readonly broken: readonly string[];
  readonly finding: Partial<NonNullable<Verdict["broken"][number]>>;
}

const controls: readonly Control[] = [
  {
    fault: "says `tool_calls` for `length`",
    gateway: replaceText('"finish_reason":"length"', '"finish_reason":"tool_calls"'),
    reply: "openai-chat/one-call",
    broken: ["relabel.limit"],
    finding: {
      id: "openai-chat/one-call-length",
      severity: "a call runs that must not",
    },
  },
  {
    fault: "says `stop` beside calls",
    gateway: replaceText('"finish_reason":"tool_calls"', '"finish_reason":"stop"'),
    reply: "openai-chat/one-call",
    broken: ["relabel.calls"],
    finding: { expected: "tool_calls", actual: "stop", severity: "a stop reason is relabelled" },
  },
  {
    fault: "says `stop` for a filtered reply",
    gateway: replaceText('"finish_reason":"content_filter"', '"finish_reason":"stop"'),
    broken: ["relabel.blocked"],
    finding: {
      id: "openai-chat/text-only-content-filter",
      severity: "a stop reason is relabelled",
    },
  },
  {
    fault: "says `length` for a filtered reply",
    gateway: replaceText('"finish_reason":"content_filter"', '"finish_reason":"length"'),
    broken: ["merge.stops"],
    finding: {
      id: "openai-chat/text-only-content-filter",
      severity: "a stop reason is relabelled",
    },
  },
  {
    fault: "says `length` for a finished reply",
    gateway: replaceText('"finish_reason":"tool_calls"', '"finish_reason":"length"'),
    reply: "openai-chat/one-call",
    broken: ["relabel.finished"],
    finding: { id: "openai-chat/one-call", severity: "a finished call is lost" },
  },
  {
    fault: "loses the second call",
    gateway: {
      answer: (answer) => ({
        ...answer,
        text: mapEvents(answer.text, (data) =>
          data.includes('"tool_calls":[{"index":1') ? undefined : data,
        ),
      }),
    },
    reply: "openai-chat/two-parallel-calls",
    broken: ["loss.call", "variant.finished"],
    finding: { id: "openai-chat/two-parallel-calls", severity: "a finished call is lost" },
  },
  {
    fault: "joins the second call to the first",
    gateway: {
      answer: (answer) => ({
        ...answer,
        text: mapEvents(answer.text, (data) =>
          data.includes('"index":1,"id"')
            ? undefined
            : data.replace('"tool_calls":[{"index":1', '"tool_calls":[{"index":0'),
        ),
      }),
    },
    reply: "openai-chat/two-parallel-calls",
    broken: ["merge.calls", "break.reply", "variant.finished"],
    finding: { id: "openai-chat/two-parallel-calls", severity: "a finished call is lost" },
  },
  {
    fault: "changes an input",
    gateway: replaceText("/srv/notes.txt", "/srv/other.txt"),
    reply: "openai-chat/one-call",
    broken: ["break.input", "variant.finished"],
    finding: { severity: "a call runs that must not" },
  },
  {
    fault: "closes an input",
    gateway: replaceText('{"arguments":"/srv/note"}', '{"arguments":"/srv/note\\"}"}'),
    reply: "openai-chat/invalid-input",
    broken: ["break.repair"],
    finding: { id: "openai-chat/invalid-input", severity: "a call runs that must not" },
  },
  {
    fault: "loses text",
    gateway: replaceText('{"content":"one. "}', '{"content":""}'),
    broken: ["loss.text"],
    finding: { id: "openai-chat/text-only", severity: "a detail is lost" },
  },
  {
    fault: "loses the usage",
    gateway: replaceText(/"completion_tokens":\d+/g, '"completion_tokens":0'),
    broken: ["loss.usage"],
    finding: { expected: "12 output tokens", actual: "0 output tokens" },
  },
  {
    fault: "ends a broken reply cleanly",
    gateway: {
      answer: (answer) =>
        answer.broken
          ? {
              ...answer,
              broken: false,
              text: `${answer.text.slice(0, answer.text.lastIndexOf("\n\n"))}\n\ndata: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`,
            }
          : answer,
    },
    broken: ["break.cut"],
    finding: { severity: "a stop reason is relabelled" },
  },
  {
    fault: "answers an error with an empty finished reply",
    gateway: {
      answer: (answer) =>
        answer.status === 200
          ? answer
          : {
              ...answer,
              status: 200,
              text: '{"choices":[{"index":0,"message":{"role":"assistant","content":""},"finish_reason":"stop"}]}',
            },
    },
    reply: "openai-chat/status",
    broken: ["loss.error"],
    finding: { severity: "a stop reason is relabelled" },
  },
  {
    fault: "answers each error with the status 500",
    gateway: {
      answer: (answer) =>
        answer.status === 200 ? answer : { ...answer, status: 500, text: '{"error":{}}' },
    },
    reply: "openai-chat/status",
    broken: ["merge.errors"],
    finding: { id: "openai-chat/status-400-1", severity: "a detail is lost" },
  },
  {
    fault: "sends broken JSON",
    gateway: replaceText('"finish_reason":"stop"', '"finish_reason":stop'),
    broken: ["break.reply"],
    finding: { id: "openai-chat/text-only", severity: "a reply or a request is broken" },
  },
  {
    fault: "drops the cap",
    gateway: replaceInRequest(/"max_completion_tokens":\d+,/g, ""),
    broken: ["upstream.cap"],
    finding: { at: "max_completion_tokens", expected: "1024", actual: "no cap" },
  },
  {
    fault: "drops a tool",
    gateway: replaceInRequest('"name":"save"', '"name":"other"'),
    broken: ["upstream.tools"],
    finding: { at: "the tool save", actual: "the tool did not arrive" },
  },
  {
    fault: "drops the instructions",
    gateway: replaceInRequest("must reach the model", ""),
    broken: ["upstream.prompt"],
    finding: { at: "the instructions", actual: "did not arrive" },
  },
  {
    fault: "changes the ids of results",
    gateway: replaceInRequest('"tool_call_id":"call_', '"tool_call_id":"other_'),
    broken: ["upstream.results", "upstream.valid"],
    finding: { at: "the result of read", severity: "a reply or a request is broken" },
  },
];

test.for(controls)("a gateway that $fault is found", async (control) => {
  const { gateway, broken, finding, reply = "openai-chat/text-only" } = control;
  const verdicts = await judgeGateway(gateway, { reply });
  expect(brokenClauses(verdicts)).toEqual(broken);
  expect(verdicts.get(broken[0] ?? "")?.broken).toContainEqual(expect.objectContaining(finding));
});

test("a gateway that never ends a broken reply is found", async () => {
  const gateway: SmallGateway = { answer: (answer) => (answer.broken ? undefined : answer) };
  const reply = "openai-chat/one-call/resets";
  const verdicts = await judgeGateway(gateway, { reply, timeoutMs: 500 });
  expect(brokenClauses(verdicts)).toContain("break.open");
});

test("a finding shows what upstream sent and what came out in front", async () => {
  const verdicts = await judgeGateway(
    replaceText('"finish_reason":"length"', '"finish_reason":"stop"'),
    { reply: "openai-chat/text-only-length" },
  );
  const [check] = verdicts.get("relabel.limit")?.broken ?? [];
  expect(check?.bytes).toMatch(/^upstream sent: .*"finish_reason":"length"/s);
  expect(check?.output).toMatch(/^in front: status 200: .*"finish_reason":"stop"/s);
});

test("one check of a gateway can be asked alone, and an unknown one is an error", async () => {
  const gateway = replaceText('"finish_reason":"length"', '"finish_reason":"tool_calls"');
  const judge = (only: string) => judgeGateway(gateway, { reply: "openai-chat/one-call", only });
  const verdicts = await judge("relabel.limit/openai-chat/one-call-length");
  expect([...verdicts.values()]).toMatchObject([
    { status: "broken", checks: 1, checkIds: ["openai-chat/one-call-length"] },
  ]);
  await expect(judge("relabel.limit/openai-chat/no-such-reply")).rejects.toThrow(
    "was not asked relabel.limit/openai-chat/no-such-reply. Ask relabel.limit: --all shows",
  );
});
