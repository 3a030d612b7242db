// What the types of tools and of a turn promise. `tsc -p packages/loop` is the judge.
import {
  type ExecutableTool,
  type Message,
  type RunOptions,
  run,
  type Tool,
  type ToolCall,
  tool,
} from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";

const described = { name: "weather", description: "The weather in a city." };
const weather = tool({
  ...described,
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => city.toUpperCase(),
});

test("tool knows whether there is an execute, and types the generator and needsApproval", async () => {
  const inputSchema = z.object({ cents: z.int() });
  const elsewhere = tool({ ...described, name: "elsewhere", inputSchema });
  expectTypeOf(elsewhere).toEqualTypeOf<Tool<{ cents: number }>>();
  const here = tool({
    ...described,
    name: "here",
    inputSchema,
    needsApproval: ({ cents }) => {
      expectTypeOf(cents).toEqualTypeOf<number>();
      return cents > 5;
    },
    async *execute({ cents }, { call }) {
      expectTypeOf(cents).toEqualTypeOf<number>();
      expectTypeOf(call).toEqualTypeOf<ToolCall>();
      yield "counting";
      return cents;
    },
  });
  expectTypeOf(here).toEqualTypeOf<ExecutableTool<{ cents: number }>>();
  expectTypeOf(here.execute).toBeFunction();
  // @ts-expect-error the input has no euros
  tool({ ...described, inputSchema, needsApproval: ({ euros }) => euros > 5 });
  const tools: readonly Tool[] = [elsewhere, here];
  run({ adapter: mock([]), prompt: "Go.", tools });
});

test("what beforeTurn, stopWhen, approve and waiting take and return is typed", () => {
  const options: Pick<RunOptions, "beforeTurn" | "stopWhen" | "approve" | "waiting"> = {
    beforeTurn: ({ turn, messages, replayed }) => {
      expectTypeOf(turn).toEqualTypeOf<number>();
      expectTypeOf(messages).toEqualTypeOf<readonly Message[]>();
      expectTypeOf(replayed).toEqualTypeOf<true | undefined>();
      return { tools: [weather], effort: "low" };
    },
    stopWhen: async ({ turns, cost = 0 }) => turns > 3 || cost > 1,
    approve: (_, { tool: asked }) => asked?.polls === true,
    waiting: { turn: {}, results: { c1: "Oslo", c2: { content: "No.", isError: true } } },
  };
  // @ts-expect-error no such change
  const wrong: RunOptions["beforeTurn"] = () => ({ sytem: "S." });
  // @ts-expect-error a symbol cannot be sent
  const odd: RunOptions["waiting"] = { turn: {}, results: { c1: Symbol("no") } };
  expect([options, wrong, odd]).toHaveLength(3);
});
