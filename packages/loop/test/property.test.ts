import { getEventListeners } from "node:events";
import { type Message, type RunEvent, run, StopReason, type ToolCall, validateHistory } from "@fullstop/loop";
import { mock, type Say, type ScriptedCall } from "@fullstop/provider-mock";
import fc from "fast-check";
import { beforeEach, expect, test, vi } from "vitest";
import { only, recorder } from "./tools.ts";

beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));

const claimed = Object.values(StopReason).filter((reason) => reason !== "interrupted" && reason !== "aborted");
const names = ["fine", "throws", "rejects", "cyclic", "hangs", "nowhere"] as const;

const call = fc.record({
  name: fc.constantFrom(...names),
  /** How much of the input arrives; 1 is all of it. */
  part: fc.oneof({ weight: 4, arbitrary: fc.constant(1) }, fc.double({ min: 0, max: 0.99, noNaN: true })),
});
const step = fc.record(
  {
    text: fc.constantFrom("", "Some text."),
    thinking: fc.constant("Hm."),
    calls: fc.array(call, { maxLength: 3 }),
    stop: fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 4, arbitrary: fc.constantFrom(...claimed, null) }),
    output: fc.constantFrom(5, 50, 500),
  },
  { requiredKeys: ["stop", "output"] },
);
const script = fc.record({
  steps: fc.array(step, { maxLength: 10 }),
  turns: fc.integer({ min: 1, max: 8 }),
  maxTokens: fc.constantFrom(undefined, 10, 100),
  ceiling: fc.constantFrom(undefined, 40, 1000),
  /** Abort at this event; most runs are shorter. */
  abortAt: fc.integer({ min: 0, max: 60 }),
});
type Script = typeof script extends fc.Arbitrary<infer Value> ? Value : never;

/** Every scripted input carries a mark of its own, by which it is found again. */
function say(step: Script["steps"][number], at: number): Say {
  const calls = step.calls?.map(({ name, part }, position): ScriptedCall => {
    const whole = JSON.stringify({ mark: `mark-${at}-${position}.` });
    return { name, id: `id-${at}-${position}`, inputText: part === 1 ? whole : whole.slice(0, Math.ceil(whole.length * part)) };
  });
  return { text: step.text, thinking: step.thinking, calls, stop: step.stop, usage: { output: step.output } };
}

async function play({ steps, turns, maxTokens, ceiling, abortAt }: Script) {
  const controller = new AbortController();
  const ran: unknown[] = [];
  const note = (answer: () => object | string | Promise<string>) => (input: Readonly<Record<string, unknown>>) => {
    ran.push(input["mark"]);
    return answer();
  };
  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  const hang = (): Promise<string> => {
    setImmediate(() => controller.abort());
    return new Promise(() => {});
  };
  const tools = [
    recorder(
      "fine",
      note(() => ({ ok: true })),
    ),
    recorder(
      "throws",
      note(() => {
        throw new Error("No.");
      }),
    ),
    recorder(
      "rejects",
      note(() => Promise.reject(new Error("No."))),
    ),
    recorder(
      "cyclic",
      note(() => cycle),
    ),
    recorder("hangs", note(hang)),
  ];
  const events: RunEvent[] = [];
  const onEvent = (event: RunEvent) => {
    if (events.push(event) === abortAt) controller.abort();
  };
  const model = mock(steps.map(say), { maxTokens: { ceiling } });
  const { signal } = controller;
  const outcome = await run({ adapter: model, tools, prompt: "Go.", limits: { turns }, maxTokens, signal, onEvent }).outcome();
  return { outcome, events, ran, model, listeners: getEventListeners(signal, "abort").length };
}

const callIds = (message: Message | undefined): string[] =>
  message?.role === "assistant" ? message.content.flatMap((block) => (block.type === "tool-call" ? [block.id] : [])) : [];
const resultIds = (message: Message | undefined): string[] => (message?.role === "tool" ? message.content.map(({ id }) => id) : []);

test("whatever a model, its host, its tools and its user do, a run ends, runs only what passed the gate, and leaves a valid conversation", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(script, async (given) => {
      const { outcome, events, ran, listeners } = await play(given);
      seen.add(outcome.status);
      const { messages } = outcome;

      expect(validateHistory(messages)).toEqual([]);
      for (const [at, message] of messages.entries()) {
        expect(resultIds(messages[at + 1])).toEqual(callIds(message));
      }
      const licensed = only(events, "turn").flatMap(({ turn }): readonly ToolCall[] => turn.calls);
      expect(new Set(ran).size).toBe(ran.length);
      expect(licensed.map(({ input }) => input["mark"])).toEqual(expect.arrayContaining(ran));
      expect(messages.flatMap(callIds)).toEqual(licensed.map(({ id }) => id));
      expect(
        only(events, "tool-result")
          .map(({ result }) => result.id)
          .toSorted(),
      ).toEqual(licensed.map(({ id }) => id).toSorted());
      const history = JSON.stringify(messages);
      for (const { inputText, id } of only(events, "turn").flatMap(({ turn }) => turn.withheld)) {
        const [mark] = /mark-\d+-\d+\./.exec(inputText) ?? [];
        if (mark !== undefined) expect(history).not.toContain(mark);
        if (mark !== undefined) expect(ran).not.toContain(mark);
        expect(messages.flatMap(callIds)).not.toContain(id);
      }
      expect(outcome.turns).toBeLessThanOrEqual(given.turns);
      const replies = new Set(only(events, "turn").map(({ turn }) => turn));
      expect(outcome.usage.output).toBe([...replies].reduce((sum, { usage }) => sum + usage.output, 0));
      expect(outcome.summary).toMatch(/\.$/);
      expect(listeners).toBe(0);
      expect(await run({ adapter: mock(["Hello."]), messages, prompt: "And now?" }).text()).toBe("Hello.");
    }),
    { numRuns: 1500 },
  );
  expect([...seen].toSorted()).toEqual(["aborted", "done", "failed", "limit", "refused", "truncated"]);
});
