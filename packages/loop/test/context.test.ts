import { AsyncLocalStorage } from "node:async_hooks";
import {
  jsonSchema,
  type Observer,
  type Outcome,
  type RunEvent,
  run,
  tool,
  withContext,
  withDetails,
} from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { describe, expect, test } from "vitest";

const storage = new AsyncLocalStorage<string>();
const ignore = (): void => undefined;
const inStorage = (onEvent: Observer = ignore): Observer =>
  withContext(onEvent, ({ type, turnNumber }, work) => storage.run(`${type} ${turnNumber}`, work));

/** Runs a model that calls a tool, and returns in which contexts what happened. */
async function contextsOf(
  onEvent: Observer | readonly Observer[],
): Promise<{ readonly contexts: readonly string[]; readonly outcome: Outcome }> {
  const contexts: string[] = [];
  const note = (what: string): void => void contexts.push(`${what} in ${storage.getStore()}`);
  const model = mock([{ calls: [{ name: "look", input: {} }] }, "Done."]);
  const look = tool({
    name: "look",
    description: "Looks.",
    inputSchema: jsonSchema({ type: "object" }),
    execute: async () => {
      await Promise.resolve();
      note("tool");
      return "rain";
    },
  });
  const outcome = await run({
    adapter: {
      ...model,
      open: async (request, signal) => {
        await Promise.resolve();
        note("request");
        return model.open(request, signal);
      },
    },
    prompt: "Go.",
    tools: [look],
    onEvent,
  }).outcome();
  return { contexts, outcome };
}
const inContexts = ["request in request 1", "tool in tool-call 1", "request in request 2"];
const inNone = ["request in undefined", "tool in undefined", "request in undefined"];

describe("`withContext`", () => {
  test("runs requests and tools in the context of the observer", async () => {
    const types: string[] = [];
    const { contexts, outcome } = await contextsOf(inStorage(({ type }) => types.push(type)));
    expect(contexts).toEqual(inContexts);
    expect(types).toContain("end");
    expect(outcome.status).toBe("done");
    expect(storage.getStore()).toBeUndefined();
  });

  test("goes together with `withDetails`, in any order", async () => {
    const both = [
      (onEvent: Observer) => withDetails(inStorage(onEvent), ["prompt"]),
      (onEvent: Observer) => inStorage(withDetails(onEvent, ["prompt"])),
    ];
    for (const make of both) {
      const types: string[] = [];
      expect((await contextsOf(make(({ type }) => types.push(type)))).contexts).toEqual(inContexts);
      expect(types.filter((type) => type === "prompt")).toHaveLength(2);
    }
  });

  test("of several observers is in each other", async () => {
    const order: string[] = [];
    const named = (name: string): Observer =>
      withContext(ignore, ({ type }, work) => {
        order.push(`${name} begins ${type}`);
        work();
      });
    const { contexts } = await contextsOf([named("first"), inStorage(), named("last")]);
    expect(contexts).toEqual(inContexts);
    expect(order.slice(0, 2)).toEqual(["first begins request", "last begins request"]);
  });

  test.each<[string, (event: RunEvent, work: () => void) => void]>([
    ["does not call the work", ignore],
    [
      "throws before it",
      () => {
        throw new Error("No context.");
      },
    ],
  ])("of an observer that %s changes nothing", async (what, runInContext) => {
    const { contexts, outcome } = await contextsOf(withContext(ignore, runInContext));
    expect(contexts).toEqual(inNone);
    expect(outcome.status).toBe("done");
    expect(outcome.observerError !== undefined).toBe(what.startsWith("throws"));
  });

  test("calls the work once, also if an observer calls it again", async () => {
    const twice = withContext(ignore, (_, work) => {
      work();
      work();
    });
    expect((await contextsOf(twice)).contexts).toEqual(inNone);
  });
});
