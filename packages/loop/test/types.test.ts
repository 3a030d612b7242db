// What the types promise. `tsc -p packages/loop` is the judge: each `@ts-expect-error` is an error of its own where nothing is wrong.
import {
  type ImageBlock,
  type Preview,
  type ProviderError,
  readObject,
  StopReason,
  type ToolCallBlock,
  type WithheldCall,
} from "@fullstop/core";
import type { Claim, EndedTurn, FailedTurn, StopTable, ToolUseTurn } from "@fullstop/core/adapter";
import {
  type Approve,
  type ExecutableTool,
  jsonSchema,
  type Message,
  type NativeTool,
  type Outcome,
  type Run,
  type RunEvent,
  run,
  type Tool,
  type ToolCall,
  type Turn,
  tool,
} from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";

const described = { name: "weather", description: "The weather in a city." };
const fromZod = tool({
  ...described,
  name: "zod",
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => city.toUpperCase(),
});
const fromArktype = tool({
  ...described,
  name: "arktype",
  inputSchema: type({ city: "string" }),
  execute: ({ city }) => city.toUpperCase(),
});
const fromValibot = tool({
  ...described,
  name: "valibot",
  inputSchema: toStandardJsonSchema(v.object({ city: v.string() })),
  execute: ({ city }) => city.toUpperCase(),
});

test("the input of execute comes from zod, arktype and valibot, and each schema reaches the provider and validates", async () => {
  expectTypeOf(fromZod).toEqualTypeOf<ExecutableTool<{ city: string }>>();
  expectTypeOf(fromArktype).toEqualTypeOf<ExecutableTool<{ city: string }>>();
  expectTypeOf(fromValibot).toEqualTypeOf<ExecutableTool<{ city: string }>>();
  const tools = [fromZod, fromArktype, fromValibot];
  const model = mock([
    { calls: tools.map(({ name }) => ({ name, input: { city: "Oslo" } })) },
    { calls: tools.map(({ name }) => ({ name, input: { city: 7 } })) },
    "Done.",
  ]);
  const { messages } = await run({ adapter: model, tools, prompt: "Go." }).outcome();
  expect(messages[2]?.content).toMatchObject(tools.map(({ name }) => ({ name, content: "OSLO" })));
  expect(messages[4]?.content).toMatchObject(
    tools.map(({ name }) => ({ name, isError: true, content: expect.stringContaining("city") })),
  );
  expect(model.requests[0]?.tools).toMatchObject(
    tools.map(({ name }) => ({ name, inputSchema: { type: "object", required: ["city"] } })),
  );
});

test("a schema without JSON Schema is an error that says how to wrap it", () => {
  const execute = () => "";
  const definitions = [
    // @ts-expect-error Property 'jsonSchema' is missing
    () => tool({ ...described, inputSchema: v.object({ city: v.string() }), execute }),
    // @ts-expect-error A plain JSON Schema goes through `jsonSchema`.
    () => tool({ ...described, inputSchema: { type: "object" }, execute }),
  ];
  for (const define of definitions)
    expect(define).toThrow(/has no JSON Schema.*`toStandardJsonSchema\(…\)`.*`jsonSchema\(…\)`/);
});

test("a schema that is not of an object is an error of types, and at once", () => {
  const definitions = [
    // @ts-expect-error Type 'string' is not assignable to type 'object'
    () => tool({ ...described, inputSchema: z.string(), execute: () => "" }),
    // TypeScript takes a list for an object.
    () => tool({ ...described, inputSchema: z.array(z.object({})), execute: () => "" }),
  ];
  for (const define of definitions) expect(define).toThrow("must describe an object");
});

test("execute gets the output type of a transform", () => {
  const sized = tool({
    ...described,
    inputSchema: z.object({ size: z.string().transform(Number) }),
    execute: ({ size }) => {
      expectTypeOf(size).toEqualTypeOf<number>();
      return size.toFixed();
    },
  });
  expectTypeOf(sized).toEqualTypeOf<ExecutableTool<{ size: number }>>();
});

test("a JSON Schema gives a record", () => {
  tool({
    ...described,
    inputSchema: jsonSchema({ type: "object" }),
    execute: (input) => {
      expectTypeOf(input).toEqualTypeOf<Record<string, unknown>>();
      return "";
    },
  });
});

test("tools of different inputs are one list without casts", () => {
  const other = tool({
    ...described,
    name: "other",
    inputSchema: z.object({ n: z.number() }),
    execute: ({ n }) => `${n}`,
  });
  const tools: readonly Tool[] = [fromZod, fromArktype, other];
  const search: NativeTool = {
    provider: "anthropic",
    definition: { type: "web_search_20250305", name: "web_search" },
  };
  run({ adapter: mock([]), prompt: "Go.", tools: [...tools, search] });
});

test("a tool may return data, text, blocks or nothing, now or later; not what cannot be sent", () => {
  interface Report {
    readonly celsius: number;
  }
  const report: Report = { celsius: 4 };
  const image: ImageBlock = { type: "image", mediaType: "image/png", data: "AAAA" };
  const inputSchema = z.object({});
  const note = (): void => {};
  const later = async (): Promise<void> => {};
  const outputs = [
    () => report,
    async () => report,
    async () => "cold",
    () => 4,
    () => true,
    () => null,
    () => {},
    note,
    later,
  ];
  for (const execute of outputs) tool({ ...described, inputSchema, execute });
  tool({ ...described, inputSchema, execute: () => [image] });
  tool({ ...described, inputSchema, execute: async () => ({ content: [image], isError: true }) });
  // @ts-expect-error a symbol cannot be sent
  tool({ ...described, inputSchema, execute: () => Symbol("cold") });
});

test("the stop reason of a turn determines its fields", () => {
  const narrow = (turn: Turn) => {
    if (turn.stopReason === "tool-use") {
      expectTypeOf(turn).toEqualTypeOf<ToolUseTurn>();
      expectTypeOf(turn.calls[0]).toEqualTypeOf<ToolCall>();
      expectTypeOf(turn.message).not.toBeNullable();
      expectTypeOf(turn.withheld).toEqualTypeOf<readonly []>();
      return;
    }
    expectTypeOf(turn.calls).toEqualTypeOf<readonly []>();
    if (turn.stopReason === "interrupted") {
      expectTypeOf(turn).toEqualTypeOf<FailedTurn>();
      expectTypeOf(turn.error).toEqualTypeOf<ProviderError>();
    }
    if (turn.stopReason === "length") {
      expectTypeOf(turn).toEqualTypeOf<EndedTurn>();
      // @ts-expect-error a reply that was cut did not fail
      turn.error;
    }
    // @ts-expect-error nothing that was withheld is a call
    const first: ToolCall | undefined = turn.withheld[0];
    return first;
  };
  expect(narrow).toBeTypeOf("function");
});

const never = (value: never): string => String(value);
test("a switch over the reasons compiles when it has all twelve, and not with eleven", () => {
  const all = (reason: StopReason): string => {
    switch (reason) {
      case "stop":
      case "tool-use":
      case "length":
      case "context-window":
      case "pause":
      case "refusal":
      case "content-filter":
      case "malformed-tool-call":
      case "error":
      case "interrupted":
      case "aborted":
      case "unknown":
        return reason;
      default:
        return never(reason);
    }
  };
  const eleven = (reason: StopReason): string => {
    switch (reason) {
      case "stop":
      case "tool-use":
      case "length":
      case "context-window":
      case "pause":
      case "refusal":
      case "content-filter":
      case "malformed-tool-call":
      case "error":
      case "interrupted":
      case "aborted":
        return reason;
      default:
        // @ts-expect-error 'unknown' is missing
        return never(reason);
    }
  };
  expect(Object.values(StopReason).map(all)).toEqual(Object.values(StopReason).map(eleven));
});

test("a switch over the statuses of an outcome is exhaustive, and each status has its fields", () => {
  const told = (outcome: Outcome): unknown => {
    switch (outcome.status) {
      case "done":
        return outcome.empty;
      case "truncated":
        return outcome.withheld;
      case "refused":
        return outcome.by;
      case "failed":
        return outcome.error;
      case "limit":
        return outcome.limit;
      case "stuck":
        return outcome.call;
      case "waiting":
        return outcome.calls;
      case "invalid-output":
        return outcome.issues;
      case "stopped":
      case "aborted":
        return outcome.turn;
      default:
        return never(outcome);
    }
  };
  const short = (outcome: Outcome): unknown => {
    switch (outcome.status) {
      case "done":
      case "truncated":
      case "refused":
      case "failed":
      case "limit":
        return outcome.text;
      default:
        // @ts-expect-error 'aborted' is missing
        return never(outcome);
    }
  };
  // @ts-expect-error only a failed outcome has an error
  const error = (outcome: Outcome) => outcome.error;
  expect([told, short, error]).toHaveLength(3);
});

test("the output of a run has the type that the schema makes of the answer", () => {
  const adapter = mock([]);
  const zodRun = () =>
    run({ adapter, prompt: "Go.", output: z.object({ size: z.string().transform(Number) }) });
  expectTypeOf(zodRun).returns.toEqualTypeOf<Run<{ size: number }>>();
  expectTypeOf<ReturnType<ReturnType<typeof zodRun>["output"]>>().resolves.toEqualTypeOf<{
    size: number;
  }>();
  const jsonRun = () => run({ adapter, prompt: "Go.", output: jsonSchema({ type: "object" }) });
  expectTypeOf(jsonRun).returns.toEqualTypeOf<Run<Record<string, unknown>>>();
  const arktypeRun = () => run({ adapter, prompt: "Go.", output: type({ city: "string" }) });
  expectTypeOf(arktypeRun).returns.toEqualTypeOf<Run<{ city: string }>>();
  const plainRun = () => run({ adapter, prompt: "Go.", tools: [fromZod] });
  expectTypeOf(plainRun).returns.toEqualTypeOf<Run<unknown>>();
  expect([zodRun, jsonRun, arktypeRun, plainRun]).toHaveLength(4);
});

test("only an outcome that is done has an output", () => {
  const readDone = (outcome: Outcome<{ city: string }>): string | undefined =>
    outcome.status === "done" ? outcome.output.city : undefined;
  // @ts-expect-error an answer that does not fit is never given out
  const readAny = (outcome: Outcome<{ city: string }>) => outcome.output;
  const toUnknown = (outcome: Outcome<{ city: string }>): Outcome => outcome;
  // @ts-expect-error `output` takes a schema
  expect(() => run({ adapter: mock([]), prompt: "Go.", output: { type: "object" } })).toThrow();
  // @ts-expect-error Type 'string' is not assignable to type 'object'
  expect(() => run({ adapter: mock([]), prompt: "Go.", output: z.string() })).toThrow();
  // @ts-expect-error Type 'string' is not assignable to type 'object'
  const ask = () => readObject(mock([]), { messages: [] }, z.string());
  expect([readDone, readAny, toUnknown, ask]).toHaveLength(4);
});

test("a ToolCall cannot be written by hand or taken from the history, a preview or a withheld call", () => {
  const dispatch = (_: ToolCall) => {};
  // @ts-expect-error not a licence
  dispatch({ id: "c1", name: "remove", input: { path: "/" } });
  // @ts-expect-error not a licence either
  const annotated: ToolCall = { id: "c1", name: "remove", input: {}, by: "loop" };
  const from = (block: ToolCallBlock, preview: Preview, held: WithheldCall) => {
    // @ts-expect-error history licenses nothing
    dispatch(block);
    // @ts-expect-error a preview licenses nothing
    dispatch(preview);
    // @ts-expect-error what was withheld least of all
    dispatch(held);
  };
  const read = (event: RunEvent) => event.type === "tool-call" && dispatch(event.call);
  const shown: Approve = (reviewed) => {
    // @ts-expect-error what is shown to somebody licenses nothing
    dispatch(reviewed);
    return true;
  };
  const copy = (event: RunEvent) => {
    // @ts-expect-error a copy is not a licence, whatever its input
    if (event.type === "tool-call") dispatch({ ...event.call, input: {} });
  };
  expect([annotated, from, read, shown, copy]).toHaveLength(5);
});

test("history is plain data: parsed or written by hand, without a cast", () => {
  const parsed = JSON.parse('[{"role":"user","content":"Hello."}]') as Message[];
  const written: readonly Message[] = [
    ...parsed,
    {
      role: "assistant",
      content: [{ type: "tool-call", id: "c1", name: "zod", inputText: '{"city":"Oslo"}' }],
    },
    { role: "tool", content: [{ type: "tool-result", id: "c1", name: "zod", content: "OSLO" }] },
  ];
  run({ adapter: mock([]), messages: written, tools: [fromZod] });
});

test("a stop table has every native stop reason, may have more, and claims only valid reasons", () => {
  type Words = "end" | "tool" | "budget";
  const table: StopTable<Words> = {
    end: "stop",
    tool: "tool-use",
    budget: "length",
    "budget:soft": "pause",
    running: null,
  };
  // @ts-expect-error 'budget' is missing
  const short: StopTable<Words> = { end: "stop", tool: "tool-use" };
  // @ts-expect-error found by the gate, never claimed
  const found: StopTable = { cut: "interrupted" };
  // @ts-expect-error nor this
  const aborted: Claim = "aborted";
  // @ts-expect-error no such reason
  const odd: StopTable = { end: "finished" };
  expect([table, short, found, aborted, odd]).toHaveLength(5);
});

test("a status and the options are known by name", () => {
  // @ts-expect-error no such option
  expect(() => run({ adapter: mock([]), prompt: "Go.", retries: 3 })).toBeTypeOf("function");
  // @ts-expect-error a limit that does not exist would be no limit
  expect(() => run({ adapter: mock([]), prompt: "Go.", limits: { retries: 1 } })).toBeTypeOf(
    "function",
  );
});
