import {
  jsonSchema,
  type RunOptions,
  type Tool,
  type ToolOutput,
  type ToolResultBlock,
  tool,
} from "@fullstop/loop";
import { mock, type ScriptedCall } from "@fullstop/provider-mock";
import { type } from "arktype";
import { expect, test } from "vitest";
import { z } from "zod";
import { eventsOfType, recorder, runWatched } from "./tools.ts";

/** Runs one turn of calls, then a last word. */
async function runCalls(
  tools: readonly Tool[],
  calls: readonly ScriptedCall[],
  options: Partial<RunOptions> = {},
) {
  const model = mock([{ calls }, "Done."]);
  const { outcome, events } = await runWatched({
    adapter: model,
    tools,
    prompt: "Go.",
    ...options,
  });
  const results = outcome.messages.find(({ role }) => role === "tool")
    ?.content as readonly ToolResultBlock[];
  return { outcome, events, results, model };
}
const resultOf = async (tool: Tool, call: ScriptedCall, options?: Partial<RunOptions>) =>
  (await runCalls([tool], [call], options)).results[0];

test("calls of one turn run at the same time; events come as calls end, and results are in the order of the calls", async () => {
  const gate = Promise.withResolvers<string>();
  const slow = recorder("slow", () => gate.promise);
  const fast = recorder("fast", () => {
    queueMicrotask(() => gate.resolve("slow"));
    return "fast";
  });
  const { results, events } = await runCalls(
    [slow, fast],
    [
      { name: "slow", input: {} },
      { name: "fast", input: {} },
    ],
  );
  expect(results.map(({ content }) => content)).toEqual(["slow", "fast"]);
  expect(eventsOfType(events, "tool-result").map(({ result }) => result.content)).toEqual([
    "fast",
    "slow",
  ]);
});

test("execute gets the validated value, deeply frozen, and the input is validated once", async () => {
  let validated = 0;
  let got: unknown;
  const split = (to: string) => {
    validated++;
    return { parts: to.split("/") };
  };
  const move = tool({
    name: "move",
    description: "Move.",
    inputSchema: z.object({ to: z.string().transform(split), copies: z.int().default(1) }),
    execute: (input) => {
      got = input;
      return "moved";
    },
  });
  await runCalls([move], [{ name: "move", input: { to: "a/b" } }]);
  expect(got).toEqual({ to: { parts: ["a", "b"] }, copies: 1 });
  expect(validated).toBe(1);
  const { to } = got as { to: { parts: string[] } };
  expect([got, to, to.parts].every(Object.isFrozen)).toBe(true);
});

test("instances that a schema creates are passed to the tool unchanged", async () => {
  const seen: unknown[] = [];
  const at = { ...jsonSchema({ type: "object" }) };
  const dated: Tool<unknown> = {
    ...recorder("dated"),
    inputSchema: {
      "~standard": {
        ...at["~standard"],
        validate: () => ({ value: { at: new Date(0), bytes: new Uint8Array(1) } }),
      },
    },
    execute: (input) => {
      seen.push(input);
      return "ok";
    },
  };
  await runCalls([dated], [{ name: "dated", input: {} }]);
  expect(seen).toEqual([{ at: new Date(0), bytes: new Uint8Array(1) }]);
});

test("an invalid input does not run, and the model gets the path of each problem", async () => {
  const ran: unknown[] = [];
  const execute = (input: unknown) => {
    ran.push(input);
    return "ok";
  };
  const schemas = [
    z.object({ to: z.object({ path: z.string() }) }),
    type({ to: { path: "string" } }),
    jsonSchema({
      type: "object",
      properties: { to: { type: "object", properties: { path: { type: "string" } } } },
    }),
  ];
  for (const inputSchema of schemas) {
    const result = await resultOf(
      { name: "move", description: "Move.", inputSchema, execute },
      { name: "move", input: { to: { path: 7 } } },
    );
    expect(result).toMatchObject({
      isError: true,
      content: expect.stringContaining("move was not run: its input is not valid."),
    });
    expect(result?.content).toMatch(/to\.path/);
  }
  expect(ran).toEqual([]);
});

test.each([
  [
    "throws",
    () => {
      throw new Error("out of schema");
    },
  ],
  ["rejects", () => Promise.reject(new Error("out of schema"))],
  ["gives nothing", () => undefined],
  ["gives no verdict", () => ({})],
])("an input is invalid if its schema %s", async (_, validate) => {
  const spy = recorder("move");
  const odd = {
    ...spy,
    inputSchema: { "~standard": { ...spy.inputSchema["~standard"], validate } },
  };
  expect(await resultOf(odd, { name: "move", input: {} })).toMatchObject({ isError: true });
  expect(spy.ran).toEqual([]);
});

test("a call of an unknown tool gets the names of the tools, and case matters", async () => {
  const spy = recorder("read");
  const { results, outcome } = await runCalls(
    [spy, recorder("list")],
    [{ name: "Read", input: {} }],
  );
  expect(results).toMatchObject([
    { isError: true, content: expect.stringContaining("Available tools: read, list.") },
  ]);
  expect(spy.ran).toEqual([]);
  expect(outcome.status).toBe("done");
  expect((await runCalls([], [{ name: "read", input: {} }])).results[0]?.content).toBe(
    'No tool is named "read". No tools are available.',
  );
});

test("one bad call of a turn does not keep the others from running", async () => {
  const spy = recorder("read");
  const { results } = await runCalls(
    [spy],
    [
      { name: "nope", input: {} },
      { name: "read", input: { n: 1 } },
      { name: "nope", input: {} },
    ],
  );
  expect(results.map(({ isError }) => isError)).toEqual([true, undefined, true]);
  expect(spy.ran).toEqual([{ n: 1 }]);
});

const cycle: Record<string, unknown> = {};
cycle["self"] = cycle;
test.each<[string, () => never, string]>([
  [
    "an error",
    () => {
      throw new Error("disk full");
    },
    "write failed: disk full",
  ],
  [
    "an error without a message",
    () => {
      throw new TypeError();
    },
    "write failed: TypeError",
  ],
  [
    "a string",
    () => {
      throw "no luck";
    },
    "write failed: no luck",
  ],
  [
    "undefined",
    () => {
      throw undefined;
    },
    "write failed: undefined",
  ],
  [
    "a cycle",
    () => {
      throw cycle;
    },
    "write failed: a value that is not an error was thrown",
  ],
])("a tool that throws %s gives an error result", async (_, execute, content) => {
  expect(await resultOf(recorder("write", execute), { name: "write", input: {} })).toMatchObject({
    content,
    isError: true,
  });
});

test("a rejected promise is an error result too", async () => {
  const result = await resultOf(
    recorder("write", () => Promise.reject(new Error("disk full"))),
    { name: "write", input: {} },
  );
  expect(result).toMatchObject({ content: "write failed: disk full", isError: true });
});

interface Report {
  readonly at: Date;
  readonly size: number;
}
test.each<[string, { readonly output: unknown; readonly error?: true }, string]>([
  ["text", { output: "as it is" }, "as it is"],
  ["empty text", { output: "" }, ""],
  [
    "an object of an interface",
    { output: { at: new Date(0), size: 3 } satisfies Report },
    '{"at":"1970-01-01T00:00:00.000Z","size":3}',
  ],
  ["an array", { output: [1, "b"] }, '[1,"b"]'],
  ["nothing", { output: undefined }, "stat finished. It has no output."],
  ["null", { output: null }, "null"],
  ["a number", { output: -0.5 }, "-0.5"],
  ["a boolean", { output: false }, "false"],
  ["a large integer", { output: 3n ** 40n }, "12157665459056928801"],
  [
    "a function",
    { output: () => 1, error: true },
    "its output cannot be converted to JSON (it is a function)",
  ],
  [
    "a BigInt in an object",
    { output: { size: 3n }, error: true },
    "its output cannot be converted to JSON (",
  ],
  ["a cycle", { output: cycle, error: true }, "its output cannot be converted to JSON ("],
])(
  "an output becomes a result, or an error result that does not end the run: %s",
  async (_, { output, error }, content) => {
    const result = await resultOf(
      recorder("stat", () => output as ToolOutput),
      { name: "stat", input: {} },
    );
    expect(result?.content).toContain(content);
    expect(result?.isError).toBe(error);
    if (error) expect(result?.content).toContain("stat finished");
  },
);

test("each call of a run has its own idempotency key, even if the provider repeats its ids", async () => {
  const keys: string[] = [];
  const ids: string[] = [];
  const pay = recorder("pay", (_, { idempotencyKey, call }) => {
    keys.push(idempotencyKey);
    ids.push(call.id);
    return "paid";
  });
  const calls = [
    { name: "pay", id: "pay:0", input: { n: 1 } },
    { name: "pay", id: "pay:1", input: { n: 2 } },
  ];
  const twice = () =>
    runWatched({ adapter: mock([{ calls }, { calls }, "Done."]), tools: [pay], prompt: "Pay." });
  const { outcome } = await twice();
  expect(keys.map((key) => key.replace(/^[0-9a-f-]{36}/, "run"))).toEqual([
    "run/1/1",
    "run/1/2",
    "run/2/1",
    "run/2/2",
  ]);
  expect(new Set(ids).size).toBe(4);
  expect(outcome.status).toBe("done");
  await twice();
  expect(new Set(keys).size).toBe(8);
});

test("after an abort no call starts, and the outcome of a running call is reported as unknown", async () => {
  const controller = new AbortController();
  let told: AbortSignal | undefined;
  const late = recorder("late");
  const stuck = recorder("stuck", (_, { signal }) => {
    told = signal;
    setImmediate(() => controller.abort());
    return new Promise(() => {});
  });
  const calls = [
    { name: "stuck", input: {} },
    { name: "late", input: {} },
  ];
  const { outcome, results, model, events } = await runCalls([stuck, late], calls, {
    signal: controller.signal,
    limits: { concurrency: 1 },
  });
  expect(outcome.status).toBe("aborted");
  expect(told?.aborted).toBe(true);
  expect(results.map(({ content }) => content)).toEqual([
    expect.stringMatching(/^stuck had started .*outcome is unknown/),
    "late was not run: the run was aborted before it started.",
  ]);
  expect(late.ran).toEqual([]);
  expect(eventsOfType(events, "tool-call").map(({ call }) => call.name)).toEqual(["stuck"]);
  expect(model.requests).toHaveLength(1);
});

test("an abort does not wait for a schema that never returns", async () => {
  const controller = new AbortController();
  const spy = recorder("read");
  const validate = () => {
    setImmediate(() => controller.abort());
    return new Promise(() => {});
  };
  const stalled = {
    ...spy,
    inputSchema: { "~standard": { ...spy.inputSchema["~standard"], validate } },
  };
  const { results } = await runCalls([stalled], [{ name: "read", input: {} }], {
    signal: controller.signal,
  });
  expect(results.map(({ content }) => content)).toEqual([
    "read was not run: the run was aborted before it started.",
  ]);
  expect(spy.ran).toEqual([]);
});

test("an abort after the reply and before its calls runs none of them", async () => {
  const controller = new AbortController();
  const spy = recorder("read");
  let validated = 0;
  const validate = (value: unknown) => {
    validated++;
    return { value };
  };
  const counted = {
    ...spy,
    inputSchema: { "~standard": { ...spy.inputSchema["~standard"], validate } },
  };
  const { outcome, results } = await runCalls([counted], [{ name: "read", input: {} }], {
    signal: controller.signal,
    onEvent: (event) => event.type === "turn" && controller.abort(),
  });
  expect(outcome).toMatchObject({ status: "aborted", turns: 1, turn: { stopReason: "tool-use" } });
  expect(validated).toBe(0);
  expect(results).toMatchObject([
    { isError: true, content: "read was not run: the run was aborted before it started." },
  ]);
  expect(spy.ran).toEqual([]);
});

test("an abort in the tool-call event prevents this call and the next one", async () => {
  const controller = new AbortController();
  const spy = recorder("read");
  const onEvent = (event: { type: string }) => event.type === "tool-call" && controller.abort();
  const twice = [
    { name: "read", input: {} },
    { name: "read", input: {} },
  ];
  const { results, events } = await runCalls([spy], twice, { signal: controller.signal, onEvent });
  expect(spy.ran).toEqual([]);
  expect(eventsOfType(events, "tool-call")).toHaveLength(1);
  expect(results.map(({ content }) => content)).toEqual(
    Array(2).fill("read was not run: the run was aborted before it started."),
  );
});

test("a tool that fails after the abort causes no unhandled rejection", async () => {
  const controller = new AbortController();
  const rejected = Promise.withResolvers<string>();
  const slow = recorder("slow", () => {
    setImmediate(() => controller.abort());
    return rejected.promise;
  });
  const { outcome } = await runCalls([slow], [{ name: "slow", input: {} }], {
    signal: controller.signal,
  });
  rejected.reject(new Error("too late"));
  await new Promise((resolve) => setImmediate(resolve));
  expect(outcome.status).toBe("aborted");
});
