import { runs } from "@tooling/test/property";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parsePlainJson, salvageTurn, stopRules, type TurnEvent } from "../src/adapter/index.ts";
import {
  createGate,
  explain,
  type Message,
  restoreTurn,
  type StopReason,
  type Turn,
  toProviderError,
  type Usage,
} from "../src/index.ts";
import { acme } from "./acme.ts";
import { ids, randomReplies, settings } from "./random-replies.ts";
import {
  delta,
  end,
  implicitEnds,
  type Native,
  type Setting,
  settle,
  start,
  stop,
} from "./reply.ts";

const isSound = (turn: Turn): void => {
  expect(turn.calls.length > 0).toBe(turn.stopReason === "tool-use");
  expect("error" in turn).toBe(
    ["error", "interrupted", "unknown", "context-window", "malformed-tool-call"].includes(
      turn.stopReason,
    ),
  );
  if (turn.calls.length > 0) expect(turn.withheld).toEqual([]);
  expect(new Set(turn.withheld.map(({ reason: why }) => why)).size).toBeLessThanOrEqual(1);
  const given = [...turn.calls, ...turn.withheld].map((call) => call.id);
  expect(new Set(given).size).toBe(given.length);
  const blocks = (turn.message?.content ?? []).filter((block) => block.type === "tool-call");
  expect(blocks.map((block) => block.id)).toEqual(turn.calls.map((call) => call.id));
  for (const block of turn.message?.content ?? [])
    if (block.type === "thinking") expect(block).toHaveProperty("providerData");
  if (stopRules[turn.stopReason].keeps === "nothing") expect(turn.message).toBeUndefined();
};

/** The gate's last state tells whether it stopped listening. */
function watched(
  natives: readonly Native[],
  { adapter, thrown, ...request }: Setting,
): { readonly turn: Turn; readonly deaf: boolean } {
  const gate = createGate(acme(adapter), request);
  for (const one of natives) gate.push(one);
  if (thrown !== undefined) gate.fail(toProviderError(thrown, acme(adapter)));
  return { deaf: gate.state === "void", turn: gate.end() };
}

test("any events: calls exactly under tool-use, one reason for all withheld calls, unique ids, all text kept", () => {
  fc.assert(
    fc.property(randomReplies, settings, (natives, setting) => {
      const { turn, deaf } = watched(natives, setting);
      isSound(turn);
      const sent = natives
        .flat()
        .map((one) => ("type" in one && one.type === "text" ? one.text : ""))
        .join("");
      expect(deaf || sent === turn.text).toBe(true);
    }),
    { numRuns: runs(2000) },
  );
});

const last = (events: readonly TurnEvent[], is: (event: TurnEvent) => boolean): number =>
  events.findLastIndex(is);
const isNews = ({ type }: TurnEvent): boolean => ["usage", "meta", "stop", "error"].includes(type);
/** What must have arrived if anything runs: the rules once more, from the events alone. */
function mustHold(
  events: readonly TurnEvent[],
  { maxTokens, thrown }: Setting,
): Readonly<Record<string, boolean>> {
  const stops = events.flatMap((event, at) => (event.type === "stop" ? [{ ...event, at }] : []));
  const written = last(
    events,
    (event) => !isNews(event) && !("text" in event && event.text === ""),
  );
  const after = stops.filter(
    ({ at, provisional, native }) =>
      at > written && provisional !== true && ["done", "tool"].includes(native),
  );
  const own = after.some(({ provisional }) => provisional === false);
  const counted = Object.assign(
    {},
    ...events.map((event) => (event.type === "usage" ? event.usage : {})),
  ) as Partial<Usage>;
  const toward = counted.towardCap === undefined ? counted.output : counted.towardCap;
  return {
    "no error came": !events.some(({ type }) => type === "error"),
    "every word lets calls run": stops.every(({ native }) =>
      ["done", "tool", "running", "", "null"].includes(native),
    ),
    "a word came after all content": after.length > 0,
    "nothing broke before the protocol's own end": thrown === undefined || own,
    "usage stayed below the cap":
      maxTokens === undefined || typeof toward !== "number" || toward < maxTokens,
  };
}

test("every issued call satisfies the rules", () => {
  let ran = 0;
  fc.assert(
    fc.property(randomReplies, settings, (natives, setting) => {
      const { turn, deaf } = watched(natives, setting);
      if (turn.calls.length === 0) return;
      ran++;
      expect(deaf).toBe(false);
      const broken = Object.entries(mustHold(natives.flat(), setting)).filter(([, held]) => !held);
      expect(broken).toEqual([]);
      for (const block of turn.message?.content ?? []) {
        if (block.type === "tool-call")
          expect(turn.calls).toContainEqual({
            id: block.id,
            name: block.name,
            input: parsePlainJson(block.inputText || "{}"),
          });
      }
    }),
    { numRuns: runs(4000) },
  );
  expect(ran, "replies that ran").toBeGreaterThan(100);
});

test("the split into native events does not change the calls", () => {
  fc.assert(
    fc.property(randomReplies, settings, (natives, setting) => {
      const apart = watched(natives, setting);
      const together = watched([natives.flat()], setting);
      expect(together.deaf).toBe(apart.deaf);
      expect(together.turn.calls).toEqual(apart.turn.calls);
      if (!apart.deaf) expect(together.turn.stopReason).toBe(apart.turn.stopReason);
    }),
    { numRuns: runs(1000) },
  );
});

test("a stored turn is restored with the same calls", () => {
  fc.assert(
    fc.property(randomReplies, settings, (natives, setting) => {
      const { turn } = watched(natives, setting);
      const restored = restoreTurn(parsePlainJson(JSON.stringify(turn)));
      expect(JSON.stringify(restored.calls)).toBe(JSON.stringify(turn.calls));
      expect(parsePlainJson(JSON.stringify(restored))).toEqual(
        parsePlainJson(JSON.stringify(turn)),
      );
    }),
    { numRuns: runs(1000) },
  );
});

test("only a single cut call can be salvaged, and every turn can be explained", () => {
  fc.assert(
    fc.property(randomReplies, settings, (natives, setting) => {
      const { turn } = watched(natives, setting);
      const salvaged = salvageTurn(turn, (_, { complete: whole }) => whole);
      if (salvaged !== undefined) {
        expect(["length", "interrupted"]).toContain(turn.stopReason);
        expect(turn.withheld).toHaveLength(1);
        expect(salvaged.calls).toMatchObject([{ id: turn.withheld[0]?.id, by: "loop" }]);
      }
      for (const sentence of Object.values(explain(salvaged ?? turn)))
        expect(sentence).toMatch(/^[A-Z].*\.$/s);
    }),
    { numRuns: runs(1000) },
  );
});

const objects = fc.dictionary(
  fc.string({ maxLength: 4 }).filter((name) => name !== "__proto__"),
  fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.integer(),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .filter((number) => !Number.isInteger(number) || Number.isSafeInteger(number)),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.string()),
  ),
);
const pieces = (whole: string, cuts: readonly number[]): readonly string[] => {
  const places = [...new Set(cuts.map((cut) => cut % (whole.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((from, at) => whole.slice(from, places[at]));
};

test("a reply cut anywhere before its stop reason issues no call, and the complete reply issues all", () => {
  fc.assert(
    fc.property(
      fc.array(objects, { minLength: 1, maxLength: 3 }),
      fc.array(fc.nat(), { maxLength: 6 }),
      fc.boolean(),
      (inputs, cuts, closes) => {
        const natives = inputs.flatMap((value, at) => [
          start(at, "write", `id${at}`),
          ...pieces(JSON.stringify(value), cuts).map((some) => delta(at, some)),
          ...(closes ? [end(at)] : []),
        ]);
        const adapter = closes ? {} : implicitEnds;
        for (let length = 0; length <= natives.length; length++) {
          expect(settle(natives.slice(0, length), { adapter }).calls).toEqual([]);
          if (closes && length < natives.length && natives[length]?.type !== "tool-input-start") {
            expect(settle([...natives.slice(0, length), stop("tool")], { adapter }).calls).toEqual(
              [],
            );
          }
        }
        expect(
          settle([...natives, stop("tool")], { adapter }).calls.map(({ input }) => input),
        ).toEqual(inputs.map((value) => parsePlainJson(JSON.stringify(value))));
      },
    ),
    { numRuns: runs(300) },
  );
});

test("parallel inputs are kept apart by their keys", () => {
  const shuffled = fc
    .array(objects, { minLength: 2, maxLength: 4 })
    .chain((inputs) =>
      fc.tuple(
        fc.constant(inputs),
        fc.array(fc.nat(), { maxLength: 4 }),
        fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
      ),
    );
  fc.assert(
    fc.property(shuffled, ([inputs, cuts, order]) => {
      const queues = inputs.map((value, at) => [
        ...pieces(JSON.stringify(value), cuts).map((some) => delta(at, some)),
        end(at),
      ]);
      const natives: Native[] = inputs.map((_, at) => start(at, `tool${at}`, `id${at}`));
      for (let turn = 0; queues.some((queue) => queue.length > 0); turn++) {
        const left = queues.filter((queue) => queue.length > 0);
        const next = left[(order[turn % order.length] ?? 0) % left.length]?.shift();
        if (next !== undefined) natives.push(next);
      }
      const { calls } = settle([...natives, stop("tool")]);
      expect(calls.map(({ id, name, input }) => [id, name, input])).toEqual(
        inputs.map((value, at) => [`id${at}`, `tool${at}`, parsePlainJson(JSON.stringify(value))]),
      );
    }),
    { numRuns: runs(500) },
  );
});

test("ids are unique in every growing history", () => {
  const turns = fc.array(fc.array(ids, { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(turns, (given) => {
      const messages: Message[] = [{ role: "user", content: "Go." }];
      for (const natives of given) {
        const reply: Native[] = natives.map((nativeId, at) => [
          start(at, "read", nativeId),
          delta(at, `{"at":${at}}`),
          end(at),
        ]);
        const { message, calls } = settle([...reply, stop("tool")], { messages });
        expect(calls).toHaveLength(natives.length);
        if (message === undefined) throw new Error("a turn with calls has a message");
        messages.push(message, {
          role: "tool",
          content: calls.map(({ id: answered, name }) => ({
            type: "tool-result",
            id: answered,
            name,
            content: "",
          })),
        });
      }
      const all = messages.flatMap((message) =>
        message.role === "assistant"
          ? message.content.flatMap((block) => (block.type === "tool-call" ? [block.id] : []))
          : [],
      );
      expect(new Set(all).size).toBe(all.length);
    }),
    { numRuns: runs(500) },
  );
});

test("calls run only under stop and tool-use", () => {
  const claims = Object.keys(stopRules).filter(
    (claim): claim is Exclude<StopReason, "interrupted" | "aborted"> =>
      !["interrupted", "aborted"].includes(claim),
  );
  for (const [first, second] of claims.flatMap((one) =>
    claims.map((other) => [one, other] as const),
  )) {
    const turn = settle(
      [start(0, "read", "a"), end(0, "{}"), stop("first"), stop("second", false)],
      {
        adapter: { stops: { first, second } },
      },
    );
    const may = [first, second].every((claim) => claim === "stop" || claim === "tool-use");
    const worst = stopRules[first].severity > stopRules[second].severity ? first : second;
    expect([first, second, turn.calls.length, turn.stopReason]).toEqual([
      first,
      second,
      ...(may ? [1, "tool-use"] : [0, worst]),
    ]);
  }
});
