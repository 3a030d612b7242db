import type { Answer, Fixture, Frames, HttpFailure } from "@fullstop/conformance";
import { type Message, StopReason, validateHistory } from "@fullstop/core";
import { dropOldest, jsonSchema, type RunEvent, run, type Tool } from "@fullstop/loop";
import fc from "fast-check";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { type Fault, failed, type Provider, provider, sent } from "./provider.ts";
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
/** A reply that every protocol can say, with what its way does to it. */
const spoken = fc.record({
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
const at = fc.nat(1000);
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ spoken }) },
  { weight: 3, arbitrary: fc.record({ fixture: at, fault }) },
  { weight: 1, arbitrary: fc.record({ failure: at }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
/** One that is always cut is rare among random ones. */
const cut = fc.constantFrom("Some text.", "").map(
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
        .tuple(cut, fc.array(step, { maxLength: 3 }))
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

/** Every input of its own carries a mark, by which it is found again. */
function blocksOf(
  { text, calls }: typeof spoken extends fc.Arbitrary<infer Value> ? Value : never,
  n: number,
  { id }: Speaker,
) {
  const input = (again: boolean, position: number) =>
    again ? { again: "again" } : { mark: `mark-${n}-${position}.` };
  const said = calls.map(({ name, again }, position) => ({
    name,
    id: id(n, position),
    input: input(again, position),
  }));
  return [...(text === "" ? [] : [{ text }]), ...said];
}

/** Its server finishes a call of its own before it says anything else. */
const leavesCallOpen = "A server call whose result comes in the next reply, beside a call";
/** No provider gives an id twice, and one whose ids have nine characters gives no other. */
const another = (id: string, n: number): string =>
  id.length === 9 ? `n${n}${id.slice(`n${n}`.length)}` : `${id}n${n}`;
const withIds = ({ upToTerminal, after = [] }: Frames, n: number): Frames => {
  const own = (payload: string): string =>
    payload.replaceAll(
      /"((?:item_|call_|tool_|tool_use_)?id)":"(\w+)"/g,
      (_, key: string, id: string) => `"${key}":"${another(id, n)}"`,
    );
  return { upToTerminal: upToTerminal.map(own), after: after.map(own) };
};

function framesOf(
  given: Exclude<Step, { readonly failure: number }>,
  n: number,
  speaker: Speaker,
): Frames {
  const { frames, nativeStops: words, fixtures = [] } = speaker.wire;
  if ("fixture" in given) {
    const known = fixtures.filter(({ name }) => name !== leavesCallOpen);
    return withIds((known[given.fixture % known.length] as Fixture).frames, n);
  }
  const blocks = blocksOf(given.spoken, n, speaker);
  const { claim, output } = given.spoken;
  const asks = blocks.some((block) => "name" in block);
  const word = claim === "tool-use" && !asks ? words.stop : words[claim];
  return frames({ blocks, stop: word ?? "x_later_word", output });
}

const done: Step = {
  spoken: { text: "Some text.", calls: [], claim: "stop", output: 5, fault: { kind: "none" } },
};

function answerOf(given: Step, n: number, speaker: Speaker): Answer {
  const { failures = [], errors } = speaker.wire;
  if ("failure" in given) return failed(failures[given.failure % failures.length] as HttpFailure);
  return sent(
    framesOf(given, n, speaker),
    "fixture" in given ? given.fault : given.spoken.fault,
    errors,
  );
}

const object = jsonSchema({ type: "object" });
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
      ...{ name, description: `The tool ${name}.`, inputSchema: object },
      execute: (_, { call }) => {
        ran.push(call.id);
        return act();
      },
      salvage: {
        continueWith: ["fine"],
        input: ({ complete: whole, incomplete: cut }) =>
          cut ? { ...whole, [cut.key]: cut.text } : whole,
      },
    }),
  );
  return { tools, ran };
}

async function play(speaker: Speaker, { steps, abortAt, requests, ...given }: Script) {
  const controller = new AbortController();
  const { tools, ran } = toolsFor(controller);
  const events: RunEvent[] = [];
  const onEvent = (event: RunEvent): void => {
    if (events.push(event) === abortAt) controller.abort();
  };
  const host = provider(speaker.wire, (n) => answerOf(steps[n] ?? done, n, speaker));
  const fallback = provider(speaker.wire, (n) =>
    answerOf(steps.at(-1 - n) ?? done, 20 + n, speaker),
  );
  const outcome = await run({
    ...given,
    ...{ adapter: speaker.adapter(host.endpoint), fallback: speaker.adapter(fallback.endpoint) },
    ...{
      tools,
      prompt: "Go.",
      attempts: { requests, maxWaitMs: 0 },
      signal: controller.signal,
      onEvent,
    },
    // Fixtures ask for an approval too; a run that waits for one is tested in the loop.
    approve: () => true,
  }).outcome();
  return { outcome, events, ran, hosts: [host, fallback] };
}
type Played = Awaited<ReturnType<typeof play>>;

const only = <Type extends RunEvent["type"]>(events: readonly RunEvent[], type: Type) =>
  events.filter(
    (event): event is Extract<RunEvent, { readonly type: Type }> => event.type === type,
  );
const callIds = (message: Message | undefined): string[] =>
  message?.role === "assistant"
    ? message.content.flatMap((block) => (block.type === "tool-call" ? [block.id] : []))
    : [];
const resultIds = (message: Message | undefined): string[] =>
  message?.role === "tool" ? message.content.map(({ id }) => id) : [];

/** Each call of the history was licensed, and has one result, next to it and in order. */
function callsAndResults({ outcome: { messages }, events, ran }: Played): void {
  expect(validateHistory(messages)).toEqual([]);
  for (const [position, message] of messages.entries())
    expect(resultIds(messages[position + 1])).toEqual(callIds(message));
  const licensed = only(events, "turn").flatMap(({ turn }) => turn.calls.map(({ id }) => id));
  const results = only(events, "tool-result").map(({ result }) => result.id);
  expect(new Set(ran).size).toBe(ran.length);
  expect(licensed).toEqual(expect.arrayContaining([...ran, ...messages.flatMap(callIds)]));
  expect(results.toSorted()).toEqual(licensed.toSorted());
}

/** What was withheld is in no history and in no request. */
function withheld({ outcome: { messages }, events, hosts }: Played): void {
  const turns = only(events, "turn").map(({ turn }) => turn);
  const licensed = JSON.stringify(turns.map(({ calls }) => calls));
  const kept = JSON.stringify([messages, hosts.flatMap(({ bodies }) => bodies)]);
  for (const { inputText } of turns.flatMap((turn) => turn.withheld)) {
    const [mark] = /mark-\d+-\d+\./.exec(inputText) ?? [];
    if (mark !== undefined && !licensed.includes(mark)) expect(kept).not.toContain(mark);
  }
}

/** What came of a run is taken by its own provider and by any other. */
async function goesOn(
  { outcome: { messages } }: Played,
  next: readonly Speaker[],
): Promise<readonly Provider[]> {
  return Promise.all(
    next.map(async (speaker) => {
      const host = provider(speaker.wire, () => answerOf(done, 0, speaker));
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

describe("whatever a provider sends, tools do and a user aborts, a run keeps its history whole and its requests valid", () => {
  test.for(names)("%s", { timeout: 120_000 }, async (name) => {
    const speaker = speakers[name] as Speaker;
    await fc.assert(
      fc.asyncProperty(script, fc.constantFrom(...names), async (given, other) => {
        const played = await play(speaker, given);
        callsAndResults(played);
        withheld(played);
        const later = await goesOn(played, [speaker, speakers[other] as Speaker]);
        expect([...played.hosts, ...later].flatMap(({ violations }) => violations)).toEqual([]);
        seen.statuses.add(played.outcome.status);
        for (const { action } of only(played.events, "recovery")) seen.steps.add(action);
        for (const { turn } of only(played.events, "turn")) seen.reasons.add(turn.stopReason);
      }),
      { numRuns: 350 },
    );
  });

  test("in every way in which a run can end", () => {
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
