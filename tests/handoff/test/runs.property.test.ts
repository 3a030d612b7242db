import type { Answer, Fixture, Frames, HttpFailure } from "@fullstop/conformance";
import { type Message, StopReason, validateHistory } from "@fullstop/core";
import { dropOldest, jsonSchema, type RunEvent, run, type Tool } from "@fullstop/loop";
import { isFull } from "@tooling/test/full";
import fc from "fast-check";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { answerWith, type Fault, failureAnswer, type Provider, startProvider } from "./provider.ts";
import { type Speaker, speakers } from "./speakers.ts";

beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));

const claims = Object.values(StopReason).filter(
  (reason) => reason !== "interrupted" && reason !== "aborted",
);
const toolNames = ["fine", "throws", "hangs", "nowhere"] as const;
const part = fc.double({ min: 0, max: 1, noNaN: true });
const fault: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 12, arbitrary: fc.constant({ kind: "none" as const }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom({ kind: "no-end" as const }, { kind: "stray" as const }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom("cut" as const, "reset" as const), part }),
  },
);
/** A reply that every protocol can express, and the fault on its way. */
const spokenReply = fc.record({
  text: fc.constantFrom("", "", "Some text."),
  calls: fc.array(
    fc.record({ name: fc.constantFrom("fine" as const, ...toolNames), again: fc.boolean() }),
    { maxLength: 3 },
  ),
  claim: fc.oneof(
    { weight: 5, arbitrary: fc.constant("tool-use" as const) },
    { weight: 3, arbitrary: fc.constantFrom(...claims) },
  ),
  output: fc.constantFrom(5, 50, 500),
  fault,
});
const position = fc.nat(1000);
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ spoken: spokenReply }) },
  { weight: 3, arbitrary: fc.record({ fixture: position, fault }) },
  { weight: 1, arbitrary: fc.record({ failure: position }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
/** A reply that is cut at the cap. A run in which each reply is cut is rare among random runs. */
const cutReply = fc.constantFrom("Some text.", "").map(
  (text): Step => ({
    spoken: {
      text,
      calls: text === "" ? [{ name: "fine", again: false }] : [],
      claim: "length",
      output: 50,
      fault: { kind: "none" },
    },
  }),
);
const maybe = <T>(...values: readonly T[]) =>
  fc.constantFrom<T | undefined>(undefined, undefined, ...values);
const script = fc.record({
  steps: fc.oneof(
    { weight: 3, arbitrary: fc.array(step, { maxLength: 9 }) },
    { weight: 1, arbitrary: step.map((one): readonly Step[] => Array(9).fill(one)) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(cutReply, fc.array(step, { maxLength: 3 }))
        .map(([one, rest]) => [...Array(5).fill(one), ...rest]),
    },
  ),
  limits: fc.record({
    turns: fc.integer({ min: 1, max: 12 }),
    toolCalls: maybe(2, 6),
    outputTokens: maybe(300),
    deadlineMs: maybe(5),
  }),
  requests: fc.integer({ min: 1, max: 3 }),
  maxTokens: maybe(60, 1024),
  compact: maybe(dropOldest),
  abortAt: fc.nat(200),
});
type Script = typeof script extends fc.Arbitrary<infer Value> ? Value : never;

/** An input that is not repeated has a mark, by which the test finds it. */
function blocksOf(
  { text, calls }: typeof spokenReply extends fc.Arbitrary<infer Value> ? Value : never,
  request: number,
  { id }: Speaker,
) {
  const input = (again: boolean, position: number) =>
    again ? { again: "again" } : { mark: `mark-${request}-${position}.` };
  const callBlocks = calls.map(({ name, again }, position) => ({
    name,
    id: id(request, position),
    input: input(again, position),
  }));
  return [...(text === "" ? [] : [{ text }]), ...callBlocks];
}

/** A server finishes its own call before it sends anything else. The replies of a script do not. */
const leavesServerCallOpen = ({ frames: { upToTerminal }, turn }: Fixture): boolean => {
  if (turn.stopReason !== "pause" && turn.stopReason !== "tool-use") return false;
  const text = upToTerminal.join("");
  const count = (pattern: RegExp): number => [...text.matchAll(pattern)].length;
  return count(/"type":"server_tool_use"/g) > count(/"type":"\w+_tool_result"/g);
};
/**
 * An id that is unique in the run. Ids of nine characters keep their length, because their provider
 * allows no other.
 */
const uniqueId = (id: string, request: number): string => {
  const mark = `n${request}`;
  return id.length === 9 ? `${mark}${id.slice(mark.length)}` : `${id}${mark}`;
};
const withUniqueIds = ({ upToTerminal, after = [] }: Frames, request: number): Frames => {
  const rename = (payload: string): string =>
    payload.replaceAll(
      /"((?:item_|call_|tool_|tool_use_)?id)":"(\w+)"/g,
      (_, key: string, id: string) => `"${key}":"${uniqueId(id, request)}"`,
    );
  return { upToTerminal: upToTerminal.map(rename), after: after.map(rename) };
};

function framesOf(
  given: Exclude<Step, { readonly failure: number }>,
  request: number,
  speaker: Speaker,
): Frames {
  const { frames, nativeStops, fixtures = [] } = speaker.wire;
  if ("fixture" in given) {
    const known = fixtures.filter((fixture) => !leavesServerCallOpen(fixture));
    return withUniqueIds((known[given.fixture % known.length] as Fixture).frames, request);
  }
  const blocks = blocksOf(given.spoken, request, speaker);
  const { claim, output } = given.spoken;
  const hasCalls = blocks.some((block) => "name" in block);
  const stop = claim === "tool-use" && !hasCalls ? nativeStops.stop : nativeStops[claim];
  return frames({ blocks, stop: stop ?? "x_new_stop_reason", output });
}

const finalStep: Step = {
  spoken: { text: "Some text.", calls: [], claim: "stop", output: 5, fault: { kind: "none" } },
};

function answerOf(given: Step, request: number, speaker: Speaker): Answer {
  const { failures = [] } = speaker.wire;
  if ("failure" in given)
    return failureAnswer(failures[given.failure % failures.length] as HttpFailure);
  return answerWith(
    framesOf(given, request, speaker),
    "fixture" in given ? given.fault : given.spoken.fault,
    speaker.wire,
  );
}

const anyObject = jsonSchema({ type: "object" });
function toolsFor(controller: AbortController): {
  readonly tools: readonly Tool[];
  readonly ran: string[];
} {
  const ran: string[] = [];
  const does: Readonly<Record<string, () => object | Promise<string>>> = {
    fine: () => ({ ok: true }),
    throws: () => Promise.reject(new Error("No.")),
    hangs: () => {
      setImmediate(() => controller.abort());
      return new Promise<string>(() => undefined);
    },
  };
  const tools = Object.entries(does).map(
    ([name, act]): Tool<object> => ({
      name,
      description: `The tool ${name}.`,
      inputSchema: anyObject,
      execute: (_, { call }) => {
        ran.push(call.id);
        return act();
      },
      salvage: {
        continueWith: ["fine"],
        input: ({ complete, incomplete }) =>
          incomplete ? { ...complete, [incomplete.key]: incomplete.text } : complete,
      },
    }),
  );
  return { tools, ran };
}

async function runScript(speaker: Speaker, given: Script) {
  const { steps, abortAt, limits, requests, maxTokens, compact } = given;
  const controller = new AbortController();
  const { tools, ran } = toolsFor(controller);
  const events: RunEvent[] = [];
  const onEvent = (event: RunEvent): void => {
    if (events.push(event) === abortAt) controller.abort();
  };
  const host = startProvider(speaker.wire, (n) => answerOf(steps[n] ?? finalStep, n, speaker));
  const fallback = startProvider(speaker.wire, (n) =>
    answerOf(steps.at(-1 - n) ?? finalStep, 20 + n, speaker),
  );
  const outcome = await run({
    adapter: speaker.adapter(host.endpoint),
    tools,
    prompt: "Go.",
    request: { maxTokens },
    limits,
    recovery: {
      requests,
      maxWaitMs: 0,
      compact,
      fallback: [{ adapter: speaker.adapter(fallback.endpoint) }],
    },
    signal: controller.signal,
    onEvent,
    // Some fixtures require an approval. The tests of the loop cover a run that waits for one.
    approve: () => true,
  }).outcome();
  return { outcome, events, ran, hosts: [host, fallback] };
}
type FinishedRun = Awaited<ReturnType<typeof runScript>>;

const eventsOf = <Type extends RunEvent["type"]>(events: readonly RunEvent[], type: Type) =>
  events.filter(
    (event): event is Extract<RunEvent, { readonly type: Type }> => event.type === type,
  );
const callIds = (message: Message | undefined): string[] =>
  message?.role === "assistant"
    ? message.content.flatMap((block) => (block.type === "tool-call" ? [block.id] : []))
    : [];
const resultIds = (message: Message | undefined): string[] =>
  message?.role === "tool" ? message.content.map(({ id }) => id) : [];

/**
 * The gate permitted each call of the history, and the next message has one result for each call,
 * in order.
 */
function assertCallsHaveResults({ outcome: { messages }, events, ran }: FinishedRun): void {
  expect(validateHistory(messages)).toEqual([]);
  for (const [position, message] of messages.entries())
    expect(resultIds(messages[position + 1])).toEqual(callIds(message));
  const permitted = eventsOf(events, "turn").flatMap(({ turn }) => turn.calls.map(({ id }) => id));
  const results = eventsOf(events, "tool-result").map(({ result }) => result.id);
  expect(new Set(ran).size).toBe(ran.length);
  expect(permitted).toEqual(expect.arrayContaining([...ran, ...messages.flatMap(callIds)]));
  expect(results.toSorted()).toEqual(permitted.toSorted());
}

/** Neither the history nor a request contains a withheld input. */
function assertNothingWithheldIsSent({ outcome: { messages }, events, hosts }: FinishedRun): void {
  const turns = eventsOf(events, "turn").map(({ turn }) => turn);
  const permitted = JSON.stringify(turns.map(({ calls }) => calls));
  const kept = JSON.stringify([messages, hosts.flatMap(({ bodies }) => bodies)]);
  for (const { inputText } of turns.flatMap((turn) => turn.withheld)) {
    const [mark] = /mark-\d+-\d+\./.exec(inputText) ?? [];
    if (mark !== undefined && !permitted.includes(mark)) expect(kept).not.toContain(mark);
  }
}

/** Continues the conversation with the same provider and with another one. */
async function continueWith(
  { outcome: { messages } }: FinishedRun,
  next: readonly Speaker[],
): Promise<readonly Provider[]> {
  return Promise.all(
    next.map(async (speaker) => {
      const host = startProvider(speaker.wire, () => answerOf(finalStep, 0, speaker));
      const text = await run({
        adapter: speaker.adapter(host.endpoint),
        messages,
        prompt: "And now?",
        tools: toolsFor(new AbortController()).tools,
      }).text();
      expect(text).toBe("Some text.");
      return host;
    }),
  );
}

const names = Object.keys(speakers);
const seen = { statuses: new Set<string>(), steps: new Set<string>(), reasons: new Set<string>() };

describe("any reply, tool result and abort leaves a valid history and valid requests", () => {
  test.for(names)("%s", async (name) => {
    const speaker = speakers[name] as Speaker;
    await fc.assert(
      fc.asyncProperty(script, fc.constantFrom(...names), async (given, other) => {
        const finished = await runScript(speaker, given);
        assertCallsHaveResults(finished);
        assertNothingWithheldIsSent(finished);
        const nextHosts = await continueWith(finished, [speaker, speakers[other] as Speaker]);
        expect([...finished.hosts, ...nextHosts].flatMap(({ violations }) => violations)).toEqual(
          [],
        );
        seen.statuses.add(finished.outcome.status);
        for (const { action } of eventsOf(finished.events, "recovery")) seen.steps.add(action);
        for (const { turn } of eventsOf(finished.events, "turn")) seen.reasons.add(turn.stopReason);
      }),
      { numRuns: isFull ? 350 : 12 },
    );
  });

  /** Some ends are rare among few runs. */
  test.runIf(isFull)("the runs ended in each possible way", () => {
    expect([...seen.statuses].toSorted()).toEqual([
      "aborted",
      "done",
      "failed",
      "limit",
      "refused",
      "stuck",
      "truncated",
    ]);
    expect([...seen.reasons].toSorted()).toEqual(Object.values(StopReason).toSorted());
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
    expect([...seen.steps].toSorted()).toEqual(all.toSorted());
  });
});
