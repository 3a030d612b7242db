import { type Adapter, readTurn, type TurnRequest } from "@fullstop/core";
import type { EventBatches } from "@fullstop/core/adapter";
import { expect, test } from "vitest";
import { acme } from "./acme.ts";
import { read, stop, text, verdict } from "./reply.ts";

const request: TurnRequest = { messages: [{ role: "user", content: "Go." }] };
const whole = [text("I look."), read, stop("tool", false)];
const giving = (batches: AsyncIterable<unknown>): Adapter =>
  acme({ open: async () => batches as EventBatches<never> });
const defects: readonly (readonly [string, Adapter, string])[] = [
  [
    "whose decoder cannot be made",
    acme({
      decoder: () => {
        throw new Error("no memory");
      },
    }),
    "The adapter is broken: its `decoder` threw: no memory",
  ],
  [
    "whose `open` gives nothing",
    acme({ open: async () => undefined as never }),
    "The adapter is broken: its `open` gave nothing that can be iterated.",
  ],
  ...[undefined, null, {}, "text"].map(
    (batch) =>
      [
        `that gives ${JSON.stringify(batch)} as a batch`,
        giving(
          (async function* () {
            yield [text("I look."), read];
            yield batch;
          })(),
        ),
        "The adapter is broken: it gave a batch that is not a list of events",
      ] as const,
  ),
];
test.each(defects)(
  "an adapter %s gives a turn with an error, and nothing that can run",
  async (_, adapter, message) => {
    expect(await readTurn(adapter, request)).toMatchObject({
      stopReason: "error",
      error: { kind: "invalid-request", message: expect.stringContaining(message) },
      calls: [],
    });
  },
);

test("no request is sent if the adapter's `decoder` throws", async () => {
  let asked = 0;
  const [[, broken]] = defects as [(typeof defects)[number]];
  const open: Adapter["open"] = async () => {
    asked++;
    throw new Error("asked");
  };
  await readTurn({ ...broken, open }, request);
  expect(asked).toBe(0);
});

const nowhere = (): never => {
  throw new Error("nothing to close");
};
test.each<[string, () => unknown]>([
  ["throws", nowhere],
  ["rejects", () => Promise.reject(new Error("nothing to close"))],
  ["gives no promise", () => undefined],
])(
  "a `return` of the iterator that %s changes nothing, behind a whole reply as behind a broken one",
  async (_, close) => {
    const batches = (events: readonly unknown[]): AsyncIterable<unknown> => ({
      [Symbol.asyncIterator]: () => {
        const left = [events];
        return {
          next: async () => {
            const value = left.shift();
            return value === undefined ? { done: true, value } : { done: false, value };
          },
          return: close as () => Promise<IteratorResult<unknown>>,
        };
      },
    });
    expect(verdict(await readTurn(giving(batches(whole)), request))).toBe("tool-use, runs read");
    expect(verdict(await readTurn(giving(batches([text("I look."), read])), request))).toBe(
      "interrupted, withholds read: no-terminal",
    );
  },
);

test.each([
  [new Error("Acme sent piece 7 twice."), "cannot be read: Acme sent piece 7 twice."],
  // The engine throws it, too, and its words name code that a user does not know.
  [new TypeError("Cannot read properties of undefined"), "cannot be read: a member does not have"],
])(
  "a decoder that throws %s for an event gives a turn with this sentence: %s",
  async (thrown, sentence) => {
    const decoder: Adapter["decoder"] = () => () => {
      throw thrown;
    };
    const adapter = acme({
      decoder,
      open: async () =>
        (async function* () {
          yield whole;
        })() as EventBatches<never>,
    });
    expect(await readTurn(adapter, request)).toMatchObject({
      error: { kind: "malformed-reply", message: expect.stringContaining(sentence), cause: thrown },
      calls: [],
    });
  },
);
