import { type Adapter, run } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { expect, test } from "vitest";

const fault = (): never => {
  throw new Error("no memory");
};
const broken: readonly (readonly [string, Partial<Adapter>])[] = [
  ["a decoder that cannot be made", { decoder: fault }],
  ["a batch that is not a list", { open: async () => one({}) as never }],
  ["no reply at all", { open: async () => undefined as never }],
];
function one(value: unknown): AsyncIterable<unknown> {
  return {
    async *[Symbol.asyncIterator]() {
      yield value;
    },
  };
}

test.each(broken)(
  "%s ends the run with an error in words: `outcome()` does not reject",
  async (_, defect) => {
    for (const firstEventMs of [undefined, 60_000]) {
      const outcome = await run({
        adapter: { ...mock([]), ...defect },
        prompt: "Go.",
        limits: { firstEventMs },
        recovery: { requests: 1 },
      }).outcome();
      expect(outcome).toMatchObject({
        status: "failed",
        turns: 1,
        error: {
          kind: "invalid-request",
          message: expect.stringContaining("The adapter is broken: "),
        },
      });
    }
  },
);
