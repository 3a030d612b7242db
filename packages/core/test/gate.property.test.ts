import fc from "fast-check";
import { expect, test } from "vitest";
import { createGate, type Message, type StopReason, stopRules, type Turn } from "../src/index.ts";
import { acme } from "./acme.ts";
import { end, type Native, native, perTurn, piece, type Setting, seal, settle, start, stop, text, thinking, usage } from "./reply.ts";

const words = ["done", "tool", "budget", "policy", "declined", "paused", "full", "failed", "sequence", "running", "invented", "", "null"];
const endings: fc.Arbitrary<Native> = fc
  .tuple(fc.constantFrom(...words), fc.constantFrom(undefined, true, false))
  .map(([word, provisional]) => stop(word, provisional));
const key = fc.constantFrom(0, 1, "0", "function_call");
const id = fc.constantFrom(undefined, "", "a", "b", "call_0_0", "call_1_0");
const written = fc.constantFrom("", "{", "}", "{}", '{"a":', "1", '"x"', "[", "__proto__");
const content: fc.Arbitrary<Native> = fc.oneof(
  fc.constantFrom("", "Hi. ", "{").map(text),
  fc.constantFrom("", "Hm. ").map(thinking),
  fc.constantFrom("S", null).map((data) => seal(data)),
  fc.constantFrom({}, { opens: "s" }, { closes: "s" }).map((pair) => native({ n: 1 }, pair)),
  fc.tuple(key, id, id).map(([at, name, native]) => start(at, name, native)),
  fc.tuple(key, written).map(([at, some]) => piece(at, some)),
  key.map((at) => end(at)),
);
const news: fc.Arbitrary<Native> = fc.oneof(
  fc.tuple(fc.nat(20), fc.constantFrom(undefined, null, 3, 30)).map(([output, counted]) => usage(output, counted)),
  fc.constantFrom<Native>({ type: "meta", id: "r" }, { type: "error", native: "busy", message: "" }),
);
const mess = fc.array(fc.oneof({ arbitrary: content, weight: 8 }, { arbitrary: endings, weight: 2 }, { arbitrary: news, weight: 1 }), {
  maxLength: 14,
});
const settings: fc.Arbitrary<Setting> = fc.record({
  maxTokens: fc.constantFrom(undefined, 10),
  adapter: fc.record({ completes: fc.constantFrom("per-call" as const, "per-turn" as const), relabels: fc.boolean() }),
  thrown: fc.constantFrom(undefined, new TypeError("terminated")),
});

const isSound = (turn: Turn): void => {
  expect(turn.calls.length > 0).toBe(turn.stopReason === "tool-use");
  expect(Object.hasOwn(stopRules, turn.stopReason)).toBe(true);
  if (turn.calls.length > 0) expect(turn.withheld).toEqual([]);
  expect(new Set(turn.withheld.map(({ why }) => why)).size).toBeLessThanOrEqual(1);
  const ids = [...turn.calls, ...turn.withheld].map((call) => call.id);
  expect(new Set(ids).size).toBe(ids.length);
  const blocks = (turn.message?.content ?? []).filter((block) => block.type === "tool-call");
  expect(blocks.map((block) => block.id)).toEqual(turn.calls.map((call) => call.id));
  for (const block of turn.message?.content ?? []) if (block.type === "thinking") expect(block).toHaveProperty("seal");
};

/** The gate's last state tells whether it stopped listening. */
function watched(natives: readonly unknown[], { adapter, thrown, ...request }: Setting): { readonly turn: Turn; readonly deaf: boolean } {
  const gate = createGate(acme(adapter), request);
  for (const one of natives) gate.push(one);
  if (thrown !== undefined) gate.fail(thrown);
  return { deaf: gate.state === "void", turn: gate.end() };
}

test("whatever arrives: calls exactly under tool-use, one reason to withhold, ids of their own, all text told", () => {
  fc.assert(
    fc.property(mess, settings, (natives, setting) => {
      const { turn, deaf } = watched(natives, setting);
      isSound(turn);
      if (deaf || natives.some((one) => "type" in one && one.type === "error")) expect(turn.calls).toEqual([]);
      const sent = natives.map((one) => ("type" in one && one.type === "text" ? one.text : "")).join("");
      expect(deaf ? sent.startsWith(turn.text) : sent === turn.text).toBe(true);
      if (stopRules[turn.stopReason].keeps === "nothing") expect(turn.message).toBeUndefined();
    }),
    { numRuns: 2000 },
  );
});

test("one native event or many, what runs is the same", () => {
  fc.assert(
    fc.property(mess, settings, (natives, setting) => {
      const apart = watched(natives, setting);
      const together = watched([natives.flat()], setting);
      expect(together.deaf).toBe(apart.deaf);
      expect(together.turn.calls).toEqual(apart.turn.calls);
      if (!apart.deaf) expect(together.turn.stopReason).toBe(apart.turn.stopReason);
    }),
    { numRuns: 1000 },
  );
});

const objects = fc.dictionary(
  fc.string({ maxLength: 4 }).filter((name) => name !== "__proto__"),
  fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Number.isInteger(number) || Number.isSafeInteger(number)),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.string()),
  ),
);
const pieces = (whole: string, cuts: readonly number[]): readonly string[] => {
  const places = [...new Set(cuts.map((cut) => cut % (whole.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((from, at) => whole.slice(from, places[at]));
};

test("a reply cut anywhere before its word runs nothing, and the whole one runs what was sent", () => {
  fc.assert(
    fc.property(
      fc.array(objects, { minLength: 1, maxLength: 3 }),
      fc.array(fc.nat(), { maxLength: 6 }),
      fc.boolean(),
      (inputs, cuts, closes) => {
        const natives = inputs.flatMap((value, at) => [
          start(at, "write", `id${at}`),
          ...pieces(JSON.stringify(value), cuts).map((some) => piece(at, some)),
          ...(closes ? [end(at)] : []),
        ]);
        const adapter = closes ? {} : perTurn;
        for (let length = 0; length <= natives.length; length++) {
          expect(settle(natives.slice(0, length), { adapter }).calls).toEqual([]);
          if (closes && length < natives.length && natives[length]?.type !== "tool-input-start") {
            expect(settle([...natives.slice(0, length), stop("tool")], { adapter }).calls).toEqual([]);
          }
        }
        expect(settle([...natives, stop("tool")], { adapter }).calls.map(({ input }) => input)).toEqual(
          inputs.map((value) => JSON.parse(JSON.stringify(value))),
        );
      },
    ),
    { numRuns: 300 },
  );
});

test("parallel inputs that arrive shuffled together are told apart by their keys", () => {
  const shuffled = fc
    .array(objects, { minLength: 2, maxLength: 4 })
    .chain((inputs) =>
      fc.tuple(fc.constant(inputs), fc.array(fc.nat(), { maxLength: 4 }), fc.array(fc.nat(), { minLength: 40, maxLength: 40 })),
    );
  fc.assert(
    fc.property(shuffled, ([inputs, cuts, order]) => {
      const queues = inputs.map((value, at) => [...pieces(JSON.stringify(value), cuts).map((some) => piece(at, some)), end(at)]);
      const natives: Native[] = inputs.map((_, at) => start(at, `tool${at}`, `id${at}`));
      for (let turn = 0; queues.some((queue) => queue.length > 0); turn++) {
        const left = queues.filter((queue) => queue.length > 0);
        const next = left[(order[turn % order.length] ?? 0) % left.length]?.shift();
        if (next !== undefined) natives.push(next);
      }
      const { calls } = settle([...natives, stop("tool")]);
      expect(calls.map(({ id, name, input }) => [id, name, input])).toEqual(
        inputs.map((value, at) => [`id${at}`, `tool${at}`, JSON.parse(JSON.stringify(value))]),
      );
    }),
    { numRuns: 500 },
  );
});

test("ids are unique in any history that grows by one turn after the other", () => {
  const turns = fc.array(fc.array(id, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(turns, (given) => {
      const messages: Message[] = [{ role: "user", content: "Go." }];
      for (const natives of given) {
        const reply: Native[] = natives.map((nativeId, at) => [start(at, "read", nativeId), piece(at, `{"at":${at}}`), end(at)]);
        const { message, calls } = settle([...reply, stop("tool")], { messages });
        expect(calls).toHaveLength(natives.length);
        if (message === undefined) throw new Error("a turn with calls has a message");
        messages.push(message, {
          role: "tool",
          content: calls.map(({ id: answered, name }) => ({ type: "tool-result", id: answered, name, content: "" })),
        });
      }
      const ids = messages.flatMap((message) =>
        message.role === "assistant" ? message.content.flatMap((block) => (block.type === "tool-call" ? [block.id] : [])) : [],
      );
      expect(new Set(ids).size).toBe(ids.length);
    }),
    { numRuns: 500 },
  );
});

test("no word but stop and tool-use ever lets a whole call run, whatever comes with it", () => {
  const claims = Object.keys(stopRules).filter(
    (claim): claim is Exclude<StopReason, "interrupted" | "aborted"> => !["interrupted", "aborted"].includes(claim),
  );
  for (const [first, second] of claims.flatMap((one) => claims.map((other) => [one, other] as const))) {
    const turn = settle([start(0, "read", "a"), end(0, "{}"), stop("first"), stop("second", false)], {
      adapter: { stops: { first, second } },
    });
    const may = [first, second].every((claim) => claim === "stop" || claim === "tool-use");
    const worst = stopRules[first].severity > stopRules[second].severity ? first : second;
    expect([first, second, turn.calls.length, turn.stopReason]).toEqual([first, second, ...(may ? [1, "tool-use"] : [0, worst])]);
  }
});
