import { getEventListeners } from "node:events";
import {
  type Decision,
  jsonSchema,
  type ReviewedCall,
  type RunOptions,
  type Tool,
  type ToolResultBlock,
  tool,
} from "@fullstop/loop";
import { mock, type ScriptedCall } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { z } from "zod";
import { eventsOfType, recorder, runWatched } from "./tools.ts";

async function runCalls(
  tools: readonly Tool[],
  calls: readonly ScriptedCall[],
  options: Partial<RunOptions>,
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
  return { outcome, events, results };
}
const pay = { name: "pay", input: { cents: 500 } };
const contents = (results: readonly ToolResultBlock[]) => results.map(({ content }) => content);

test("approve and execute get the same frozen, validated value", async () => {
  const seen: unknown[] = [];
  const transfer = tool({
    name: "pay",
    description: "Pay.",
    inputSchema: z.object({
      cents: z.int(),
      to: z
        .string()
        .default("nobody")
        .transform((name) => ({ name })),
    }),
    execute: (input) => {
      seen.push(input);
      return "paid";
    },
  });
  const approve = (call: ReviewedCall) => {
    seen.push(call.input);
    return true;
  };
  await runCalls([transfer], [pay], { approve });
  expect(seen[0]).toEqual({ cents: 500, to: { name: "nobody" } });
  expect(seen[1]).toBe(seen[0]);
  expect(Object.isFrozen(seen[0]) && Object.isFrozen((seen[0] as { to: object }).to)).toBe(true);
});

test.each<[string, () => unknown, string]>([
  ["false", () => false, "pay was not run: it was denied."],
  [
    "a reason",
    () => ({ deny: "over the budget" }),
    "pay was not run: it was denied: over the budget",
  ],
  [
    "a rejection",
    () => Promise.reject(new Error("no screen")),
    "pay was not run: the request for approval failed (no screen).",
  ],
  ["nothing", () => undefined, "pay was not run: the decision about it is not valid."],
  ["null", () => null, "pay was not run: the decision about it is not valid."],
  ["a string", () => "yes", "pay was not run: the decision about it is not valid."],
  ["a number", () => 1, "pay was not run: the decision about it is not valid."],
  ["an empty object", () => ({}), "pay was not run: the decision about it is not valid."],
  ["both at once", () => ({ deny: "no", allow: pay.input }), "pay was not run: it was denied: no"],
  [
    "another input",
    () => ({ allow: { cents: 5 } }),
    "pay was not run: the program allowed it only with another input, which you did not write. That input did not run either. Do not repeat the call unchanged.",
  ],
])("%s is a denial, and the model gets the reason", async (_, decide, content) => {
  const spy = recorder("pay");
  const { outcome, events, results } = await runCalls([spy], [pay], {
    approve: decide as () => Decision,
  });
  expect(results).toMatchObject([{ content, isError: true }]);
  expect(spy.ran).toEqual([]);
  expect(eventsOfType(events, "tool-call")).toEqual([]);
  expect(eventsOfType(events, "tool-result")).toHaveLength(1);
  expect(outcome.status).toBe("done");
});

test("a call does not run if approve throws, and the model gets the reason", async () => {
  const spy = recorder("pay");
  const approve = () => {
    throw new Error("no screen");
  };
  expect(contents((await runCalls([spy], [pay], { approve })).results)).toEqual([
    "pay was not run: the request for approval failed (no screen).",
  ]);
  expect(spy.ran).toEqual([]);
});

test.each<[string, () => Decision | Promise<Decision>]>([
  ["true", () => true],
  ["a promise of true", async () => true],
  [
    "this very input, in whatever order of its keys",
    () => ({ allow: { to: { city: "Oslo", name: "Ada" }, cents: 500 } }),
  ],
])("%s lets a call run", async (_, approve) => {
  const spy = recorder("pay");
  const input = { cents: 500, to: { name: "Ada", city: "Oslo" } };
  await runCalls([spy], [{ name: "pay", input }], { approve });
  expect(spy.ran).toEqual([input]);
});

test("approve is not called for a call that cannot run", async () => {
  const asked: string[] = [];
  const approve = ({ name }: ReviewedCall) => {
    asked.push(name);
    return true;
  };
  const strict: Tool<Record<string, unknown>> = {
    ...recorder("strict"),
    inputSchema: jsonSchema({ type: "object", required: ["cents"] }),
  };
  const calls = [
    { name: "nowhere", input: {} },
    { name: "strict", input: { euros: 5 } },
    { name: "pay", input: {} },
  ];
  const { results } = await runCalls([strict, recorder("pay")], calls, { approve });
  expect(asked).toEqual(["pay"]);
  expect(results.map(({ isError }) => isError)).toEqual([true, true, undefined]);
});

test("on the last turn approve is not called, because no call runs", async () => {
  const approve = () => {
    throw new Error("asked");
  };
  const { results } = await runCalls([recorder("pay")], [pay], { approve, limits: { turns: 1 } });
  expect(results[0]?.content).toMatch(/^pay was not run: the run reached its limit of /);
});

test("calls of a turn are decided one after the other, in their order, and none starts before all are", async () => {
  const steps: string[] = [];
  const spy = recorder("pay", ({ n }) => {
    steps.push(`run ${n}`);
    return "paid";
  });
  const approve = async ({ input }: ReviewedCall) => {
    steps.push(`ask ${input["n"]}`);
    await new Promise((resolve) => setImmediate(resolve));
    steps.push(`yes ${input["n"]}`);
    return true;
  };
  await runCalls(
    [spy],
    [0, 1].map((n) => ({ name: "pay", input: { n } })),
    { approve },
  );
  expect(steps).toEqual(["ask 0", "yes 0", "ask 1", "yes 1", "run 0", "run 1"]);
});

test("the other calls of a turn run if one is denied", async () => {
  const spy = recorder("pay");
  const calls = [0, 1, 2].map((n) => ({ name: "pay", input: { n } }));
  const { results } = await runCalls([spy], calls, { approve: ({ input }) => input["n"] !== 1 });
  expect(spy.ran).toEqual([{ n: 0 }, { n: 2 }]);
  expect(results.map(({ isError }) => isError)).toEqual([undefined, true, undefined]);
});

test("after an abort during approve no call runs, and approve is not called again", async () => {
  const controller = new AbortController();
  const spy = recorder("pay");
  const asked: unknown[] = [];
  const late = Promise.withResolvers<boolean>();
  const approve = ({ input }: ReviewedCall) => {
    asked.push(input["n"]);
    if (input["n"] === 0) return true;
    setImmediate(() => controller.abort());
    return late.promise;
  };
  const calls = [0, 1, 2].map((n) => ({ name: "pay", input: { n } }));
  const { outcome, results } = await runCalls([spy], calls, { approve, signal: controller.signal });
  late.reject(new Error("too late"));
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toEqual([0, 1]);
  expect(spy.ran).toEqual([]);
  expect(outcome.status).toBe("aborted");
  expect(contents(results)).toEqual(
    Array(3).fill("pay was not run: the run was aborted before it started."),
  );
  expect(getEventListeners(controller.signal, "abort")).toEqual([]);
});

test("after an abort every call of the turn gets a result, even if one was postponed", async () => {
  const controller = new AbortController();
  const approve = ({ input }: ReviewedCall): Decision | Promise<Decision> => {
    if (input["n"] === 0) return "later";
    controller.abort();
    return new Promise(() => {});
  };
  const calls = [0, 1].map((n) => ({ name: "pay", input: { n } }));
  const { outcome, results } = await runCalls([recorder("pay")], calls, {
    approve,
    signal: controller.signal,
  });
  expect(outcome.status).toBe("aborted");
  expect(contents(results)).toEqual(
    Array(2).fill("pay was not run: the run was aborted before it started."),
  );
});
