import { getEventListeners } from "node:events";
import { StopReason, validateHistory } from "@fullstop/core";
import {
  type Adapter,
  dropOldest,
  type Message,
  type RunEvent,
  run,
  type Tool,
  type ToolCall,
  type Turn,
} from "@fullstop/loop";
import { mock, type Say, type ScriptedCall } from "@fullstop/provider-mock";
import { isFull } from "@tooling/test/full";
import { runs } from "@tooling/test/property";
import fc from "fast-check";
import { expect, test } from "vitest";
import { eventsOfType, recorder } from "./tools.ts";

const claimed = Object.values(StopReason).filter(
  (reason) => reason !== "interrupted" && reason !== "aborted",
);
const names = ["fine", "throws", "rejects", "cyclic", "hangs", "nowhere"] as const;

const call = fc.record({
  name: fc.oneof(
    { weight: 3, arbitrary: fc.constant("fine" as const) },
    { weight: 3, arbitrary: fc.constantFrom(...names) },
  ),
  /** How much of the input arrives; 1 is all of it. */
  part: fc.oneof(
    { weight: 4, arbitrary: fc.constant(1) },
    fc.double({ min: 0, max: 0.99, noNaN: true }),
  ),
  /** The same input as other calls, or one of its own. */
  again: fc.boolean(),
});
interface Step extends Pick<Say, "text" | "thinking" | "stop"> {
  readonly calls?: readonly {
    readonly name: string;
    readonly part: number;
    readonly again: boolean;
  }[];
  readonly output: number;
}
const step: fc.Arbitrary<Step> = fc.record(
  {
    text: fc.constantFrom("", "Some text."),
    thinking: fc.constant("Hm."),
    calls: fc.array(call, { maxLength: 3 }),
    stop: fc.oneof(
      { weight: 6, arbitrary: fc.constant(undefined) },
      { weight: 4, arbitrary: fc.constantFrom(...claimed, null) },
    ),
    output: fc.constantFrom(5, 50, 500),
  },
  { requiredKeys: ["stop", "output"] },
);
/** Models that go in circles, and those that are always cut, are rare among random ones. */
const circle = fc
  .array(step, { minLength: 1, maxLength: 3 })
  .map((steps) => Array.from({ length: 8 }, () => steps).flat());
const cut: fc.Arbitrary<Step> = fc.record({
  calls: fc.tuple(
    fc.record({
      name: fc.constantFrom(...names),
      part: fc.constantFrom(0.1, 0.8),
      again: fc.boolean(),
    }),
  ),
  stop: fc.constantFrom("length" as const, null),
  output: fc.constantFrom(5, 50),
});
const cuts = fc
  .tuple(cut, fc.array(step, { maxLength: 5 }))
  .map(([first, rest]) => [...Array.from({ length: 5 }, () => first), ...rest]);
let summaries = 0;
const summary = (): readonly Message[] => [{ role: "user", content: `Go on. (${summaries++})` }];
const maybe = <T>(...values: readonly T[]) =>
  fc.constantFrom<T | undefined>(undefined, undefined, undefined, ...values);
const script = fc.record({
  steps: fc.oneof(
    { weight: 2, arbitrary: fc.array(step, { maxLength: 12 }) },
    { weight: 1, arbitrary: circle },
    { weight: 1, arbitrary: cuts },
  ),
  limits: fc.record({
    turns: fc.integer({ min: 1, max: 20 }),
    toolCalls: maybe(1, 4),
    outputTokens: maybe(60, 600),
    cost: maybe(0.06, 0.6),
    deadlineMs: maybe(2),
  }),
  requests: fc.integer({ min: 1, max: 4 }),
  notes: maybe(0, 1, 5),
  /** Tools go on with a cut call before anything else is tried. */
  salvagesFirst: fc.boolean(),
  maxTokens: fc.constantFrom(undefined, 10, 100),
  ceiling: fc.constantFrom(undefined, 40, 1000),
  fallback: fc.boolean(),
  compact: maybe(dropOldest, summary),
  /** Abort at this event; most runs are shorter. */
  abortAt: fc.integer({ min: 0, max: 150 }),
});
type Script = typeof script extends fc.Arbitrary<infer Value> ? Value : never;

/** Every input of its own carries a mark, by which it is found again. */
function toReply(step: Step, at: number): Say {
  const calls = step.calls?.map(({ name, part, again }, position): ScriptedCall => {
    const whole = again ? '{"again":"again"}' : JSON.stringify({ mark: `mark-${at}-${position}.` });
    return {
      name,
      id: `id-${at}-${position}`,
      inputText: part === 1 ? whole : whole.slice(0, Math.ceil(whole.length * part)),
    };
  });
  return {
    text: step.text,
    thinking: step.thinking,
    calls,
    stop: step.stop,
    usage: { output: step.output },
  };
}

function toolsFor(controller: AbortController, first: boolean) {
  const ran: string[] = [];
  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  const fails = (): never => {
    throw new Error("No.");
  };
  const hangs = (): Promise<string> => {
    setImmediate(() => controller.abort());
    return new Promise(() => {});
  };
  const does: Readonly<Record<string, () => object | string | Promise<string>>> = {
    fine: () => ({ ok: true }),
    throws: fails,
    rejects: () => Promise.reject(new Error("No.")),
    cyclic: () => cycle,
    hangs,
  };
  const tools = Object.entries(does).map(([name, answer]): Tool<Record<string, unknown>> => {
    const tool = recorder(name, (_, { call }) => {
      ran.push(call.id);
      return answer();
    });
    return {
      ...tool,
      salvage: {
        first,
        continueWith: ["fine"],
        input: ({ complete: whole, incomplete: cut }) =>
          cut ? { ...whole, [cut.key]: cut.text } : undefined,
      },
    };
  });
  return { tools, ran };
}

async function runScript({
  steps,
  limits,
  requests,
  notes,
  maxTokens,
  ceiling,
  fallback,
  compact,
  abortAt,
  salvagesFirst,
}: Script) {
  const controller = new AbortController();
  const { tools, ran } = toolsFor(controller, salvagesFirst);
  const events: RunEvent[] = [];
  const onEvent = (event: RunEvent) => {
    if (events.push(event) === abortAt) controller.abort();
  };
  const model = mock(steps.map(toReply), { maxTokens: { ceiling } });
  const sent: string[] = [];
  const named = (name: string): Adapter => ({
    ...model,
    open: (request, signal) => {
      expect(validateHistory(request.messages)).toEqual([]);
      sent.push(`${name} ${JSON.stringify(request)}`);
      return model.open(request, signal);
    },
  });
  const { signal } = controller;
  const price = ({ output }: { readonly output: number }) => output / 1000;
  const ending = run({
    adapter: named("first"),
    tools,
    prompt: "Go.",
    request: { maxTokens },
    limits: { ...limits, price },
    recovery: {
      requests,
      notes,
      maxWaitMs: 0,
      compact,
      fallback: fallback
        ? [{ adapter: named("second"), when: ["refused", "filtered"] }]
        : undefined,
    },
    signal,
    onEvent,
  });
  const outcome = await ending.outcome();
  return { outcome, events, ran, sent, listeners: getEventListeners(signal, "abort").length };
}
type ScriptRun = Awaited<ReturnType<typeof runScript>>;

const callIds = (message: Message | undefined): string[] =>
  message?.role === "assistant"
    ? message.content.flatMap((block) => (block.type === "tool-call" ? [block.id] : []))
    : [];
const resultIds = (message: Message | undefined): string[] =>
  message?.role === "tool" ? message.content.map(({ id }) => id) : [];
const isSalvaged = ({ calls }: Turn): boolean => calls[0]?.by === "loop";

function checkCallsAndResults({ outcome: { messages }, events, ran }: ScriptRun) {
  expect(validateHistory(messages)).toEqual([]);
  for (const [at, message] of messages.entries())
    expect(resultIds(messages[at + 1])).toEqual(callIds(message));

  const turns = eventsOfType(events, "turn");
  const licensed = turns.flatMap(({ turn }): readonly ToolCall[] => turn.calls).map(({ id }) => id);
  expect(new Set(ran).size).toBe(ran.length);
  expect(licensed).toEqual(expect.arrayContaining(ran));
  const compacted = eventsOfType(events, "recovery").some(({ action }) => action === "compact");
  if (compacted) expect(licensed).toEqual(expect.arrayContaining(messages.flatMap(callIds)));
  else expect(messages.flatMap(callIds)).toEqual(licensed);
  const results = eventsOfType(events, "tool-result").map(({ result }) => result.id);
  expect(results.toSorted()).toEqual(licensed.toSorted());
}

function checkWithheldAndSalvaged({ outcome: { messages }, events, ran }: ScriptRun) {
  const turns = eventsOfType(events, "turn");
  const salvaged = new Set(
    turns.flatMap(({ turn }) => (isSalvaged(turn) ? [turn.calls[0]?.id] : [])),
  );
  const history = JSON.stringify(messages);
  for (const { inputText, id } of turns
    .flatMap(({ turn }) => turn.withheld)
    .filter((held) => !salvaged.has(held.id))) {
    const [mark] = /mark-\d+-\d+\./.exec(inputText) ?? [];
    if (mark !== undefined) expect(history).not.toContain(mark);
    expect(messages.flatMap(callIds)).not.toContain(id);
    expect(ran).not.toContain(id);
  }
  for (const [at, { turn }] of turns.entries()) {
    if (!isSalvaged(turn)) continue;
    const ids = turn.calls.map(({ id }) => id);
    const isIts = ({ stopReason, withheld }: Turn) =>
      (stopReason === "length" || stopReason === "interrupted") &&
      String(withheld.map(({ id }) => id)) === String(ids);
    expect(turns.slice(0, at).some((before) => isIts(before.turn))).toBe(true);
  }
}

function checkNotes(
  { requests, notes = requests === 1 ? 0 : undefined }: Script,
  { events }: ScriptRun,
) {
  const told = eventsOfType(events, "recovery").filter(
    ({ action }) => action === "tell-model" || action === "continue",
  );
  if (notes === 0) expect(told).toEqual([]);
}

function checkRequestsAndLimits({ limits }: Script, { outcome, events, ran, sent }: ScriptRun) {
  const turns = eventsOfType(events, "turn");
  const replies = [...new Set(turns.map(({ turn }) => turn))].filter((turn) => !isSalvaged(turn));
  expect(outcome.usage.output).toBe(replies.reduce((sum, { usage }) => sum + usage.output, 0));
  expect(outcome.cost).toBeCloseTo(outcome.usage.output / 1000);
  for (const [at, { stopReason }] of replies.entries()) {
    if (stopReason === "length") expect(sent.slice(at + 1)).not.toContain(sent[at]);
  }
  expect(outcome.turns).toBeLessThanOrEqual(limits.turns);
  expect(ran.length).toBeLessThanOrEqual(limits.toolCalls ?? Number.POSITIVE_INFINITY);
}

test("any run ends, runs only calls that passed the gate, and leaves a valid conversation", async () => {
  const seen = { statuses: new Set<string>(), limits: new Set<string>(), steps: new Set<string>() };
  await fc.assert(
    fc.asyncProperty(script, async (given) => {
      const played = await runScript(given);
      const { outcome, events, listeners } = played;
      checkCallsAndResults(played);
      checkWithheldAndSalvaged(played);
      checkNotes(given, played);
      checkRequestsAndLimits(given, played);
      expect(outcome.summary).toMatch(/\.$/);
      expect(listeners).toBe(0);
      expect(
        await run({
          adapter: mock(["Hello."]),
          messages: outcome.messages,
          prompt: "And now?",
        }).text(),
      ).toBe("Hello.");
      seen.statuses.add(outcome.status);
      if (outcome.status === "limit") seen.limits.add(outcome.limit);
      for (const { action } of eventsOfType(events, "recovery")) seen.steps.add(action);
    }),
    { numRuns: runs(3000) },
  );
  if (!isFull) return; // Some ends are rare among few runs.
  const { statuses, limits, steps } = seen;
  expect([...statuses].toSorted()).toEqual([
    "aborted",
    "done",
    "failed",
    "limit",
    "refused",
    "stuck",
    "truncated",
  ]);
  expect([...limits]).toEqual(
    expect.arrayContaining(["turns", "toolCalls", "outputTokens", "cost"]),
  );
  const all = [
    "raise-cap",
    "less-effort",
    "retry",
    "tell-model",
    "continue",
    "resume",
    "salvage",
    "stuck",
    "compact",
    "fallback",
  ];
  expect([...steps].toSorted()).toEqual(all.toSorted());
});
