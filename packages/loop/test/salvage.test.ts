import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StopReason, validateHistory } from "@fullstop/core";
import { type Adapter, type Message, run, type Tool, tool } from "@fullstop/loop";
import { type Mock, mock, type Say } from "@fullstop/provider-mock";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { eventsOfType, recorder, recoveries, runWatched } from "./tools.ts";

let folder = "";
let path = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "salvage-"));
  path = join(folder, "report.md");
});
afterEach(() => rm(folder, { recursive: true }));

const write = tool({
  name: "write",
  description: "Write a text file.",
  inputSchema: z.object({ path: z.string(), content: z.string() }),
  execute: async ({ path, content }, { signal }) => {
    await writeFile(path, content, { signal });
    return `Wrote ${content.length} characters to ${path}`;
  },
  salvage: {
    continueWith: ["edit"],
    input: ({ complete: { path }, incomplete: cut }) =>
      typeof path === "string" && cut?.key === "content" ? { path, content: cut.text } : undefined,
  },
});
const edit = tool({
  name: "edit",
  description: "Replace one piece of a text file.",
  inputSchema: z.object({ path: z.string(), find: z.string(), replace: z.string() }),
  execute: async ({ path, find, replace }) => {
    const before = await readFile(path, "utf8");
    await writeFile(
      path,
      before.replace(find, () => replace),
    );
    return "Edited.";
  },
});
const tools = [write, edit];
const prompt = "Write the report.";

const cutWrite = (stop: Say["stop"] = "length"): Say => ({
  text: "I write it.",
  calls: [
    { name: "write", id: "w1", inputText: `{"path":${JSON.stringify(path)},"content":"One,\\ntwo` },
  ],
  stop,
});
const rest = (): Say => ({
  calls: [{ name: "edit", id: "e1", input: { path, find: "two", replace: "two,\nthree." } }],
});
const resultsIn = (messages: readonly Message[]) =>
  messages.flatMap((message) => (message.role === "tool" ? message.content : []));

test("after the notes a cut file is written as far as it arrived, and an edit completes it", async () => {
  const model = mock([cutWrite(), cutWrite(), cutWrite(), rest(), "Done."]);
  const { outcome, events } = await runWatched({ adapter: model, tools, prompt });
  expect(recoveries(events)).toEqual([
    "tell-model: length",
    "tell-model: length",
    "salvage: length",
  ]);
  expect(await readFile(path, "utf8")).toBe("One,\ntwo,\nthree.");
  expect(outcome).toMatchObject({ status: "done", text: "Done.", turns: 5 });
  expect(validateHistory(outcome.messages)).toEqual([]);
  model.assertDone();
});

test("salvage comes after a larger cap and the notes", async () => {
  const model = mock([cutWrite(), cutWrite(), cutWrite(), cutWrite(), rest(), "Done."], {
    maxTokens: { default: 100, ceiling: 200 },
  });
  const { events } = await runWatched({ adapter: model, tools, prompt });
  expect(recoveries(events)).toEqual([
    "raise-cap: length",
    "tell-model: length",
    "tell-model: length",
    "salvage: length",
  ]);
  model.assertDone();
});

const writeFirst: Tool = {
  ...write,
  salvage: { ...write.salvage, first: true } as Tool["salvage"],
};
test.each<[string, Say["stop"]]>([
  ["at the cap", "length"],
  ["with the connection", null],
])(
  "with salvage.first a call that was cut %s is completed before any other request",
  async (_, stop) => {
    const model = mock([cutWrite(stop), rest(), "Done."], {
      maxTokens: { default: 100, ceiling: 400 },
    });
    const { outcome, events } = await runWatched({
      adapter: model,
      tools: [writeFirst, edit],
      prompt,
    });
    expect(recoveries(events)).toEqual([`salvage: ${stop ?? "interrupted"}`]);
    expect(await readFile(path, "utf8")).toBe("One,\ntwo,\nthree.");
    expect(outcome).toMatchObject({ status: "done", turns: 3 });
    model.assertDone();
  },
);

test("if salvage.first returns nothing, the other recoveries follow", async () => {
  const early: Say = {
    calls: [{ name: "write", inputText: '{"path":"/etc/pass' }],
    stop: "length",
  };
  const { events } = await runWatched({
    adapter: mock([early, cutWrite(), "Done."]),
    tools: [writeFirst, edit],
    prompt,
  });
  expect(recoveries(events)).toEqual(["tell-model: length", "salvage: length"]);
});

test("a salvaged call is marked in the history, in the events and for the tool", async () => {
  const seen: unknown[] = [];
  const write2: Tool<unknown> = {
    ...recorder("write", (_, { call }) => String(seen.push(call.by))),
    salvage: write.salvage,
  };
  const { outcome, events } = await runWatched({
    adapter: mock([cutWrite(), cutWrite(), cutWrite(), "Done."]),
    tools: [write2, edit],
    prompt,
  });
  const input = { path, content: "One,\ntwo" };
  const block = { type: "tool-call", name: "write", by: "loop", inputText: JSON.stringify(input) };
  const calling = outcome.messages.find(
    (message) => message.role === "assistant" && message.stopReason === "tool-use",
  );
  expect(calling?.content).toMatchObject([{ type: "text", text: "I write it." }, block]);
  expect(eventsOfType(events, "tool-call")).toMatchObject([
    { call: { name: "write", input, by: "loop" } },
  ]);
  expect(seen).toEqual(["loop"]);
  const turns = eventsOfType(events, "turn").map(({ turn, kept }) => [turn.stopReason, kept]);
  expect(turns.slice(2, 4)).toEqual([
    ["length", false],
    ["tool-use", true],
  ]);
});

test("the result of a salvaged call says what was cut and how to continue, and names only the tools in continueWith", async () => {
  const { outcome } = await runWatched({
    adapter: mock([cutWrite(), cutWrite(), cutWrite(), "Done."]),
    tools: [...tools, recorder("read")],
    prompt,
  });
  const [result] = resultsIn(outcome.messages);
  expect(result?.content).toMatch(
    /^Your call of write was cut off at the output limit.* Use edit to add only what is missing.*\n\nWrote 8 characters to .*report\.md$/s,
  );
  expect(result?.content).not.toMatch(/\bread,|\bread or/);
  expect(result?.isError).toBeUndefined();
});

test("the notice does not change the shape of an object", async () => {
  const write2: Tool<unknown> = {
    ...recorder("write", () => ({ bytes: 8 })),
    salvage: write.salvage,
  };
  const { outcome } = await runWatched({
    adapter: mock([cutWrite(), cutWrite(), cutWrite(), "Done."]),
    tools: [write2, edit],
    prompt,
  });
  expect(JSON.parse(String(resultsIn(outcome.messages)[0]?.content))).toEqual({
    note: expect.stringContaining("Use edit to add only what is missing"),
    output: { bytes: 8 },
  });
});

test("if the tool fails on a partial input, the error says that the input was incomplete", async () => {
  const failing: Tool<unknown> = {
    ...recorder("write", () => {
      throw new Error("disk full");
    }),
    salvage: write.salvage,
  };
  const { outcome } = await runWatched({
    adapter: mock([cutWrite(), cutWrite(), cutWrite(), "Done."]),
    tools: [failing, edit],
    prompt,
  });
  expect(resultsIn(outcome.messages)[0]).toMatchObject({
    isError: true,
    content: expect.stringMatching(
      /disk full.*cut off at the output limit, so its input was incomplete/,
    ),
  });
});

test("after a lost connection salvage comes after the retries, and the notice says that the connection was lost", async () => {
  const model = mock([cutWrite(null), cutWrite(null), cutWrite(null), rest(), "Done."]);
  const { outcome, events } = await runWatched({ adapter: model, tools, prompt });
  expect(recoveries(events)).toEqual([
    "retry: interrupted",
    "retry: interrupted",
    "salvage: interrupted",
  ]);
  expect(resultsIn(outcome.messages)[0]?.content).toMatch(
    /^Your call of write was cut off when the connection was lost/,
  );
  expect(await readFile(path, "utf8")).toBe("One,\ntwo,\nthree.");
  expect(outcome.status).toBe("done");
  model.assertDone();
});

const never = Object.values(StopReason).filter(
  (reason) => !["stop", "tool-use", "length", "interrupted", "aborted"].includes(reason),
) as Exclude<Say["stop"], null | undefined>[];
test.each(never)("no call is salvaged from a reply that ended with %s", async (stop) => {
  const model = mock(Array.from({ length: 12 }, () => cutWrite(stop)));
  const { outcome, events } = await runWatched({ adapter: model, tools, prompt });
  expect(eventsOfType(events, "tool-call")).toEqual([]);
  expect(outcome.status).not.toBe("done");
  await expect(readFile(path)).rejects.toThrow("ENOENT");
});

test("no call is salvaged from a reply that the caller aborted", async () => {
  const controller = new AbortController();
  const onEvent = (event: { type: string }) =>
    event.type === "tool-input-delta" && controller.abort();
  const { outcome, events } = await runWatched({
    adapter: mock([cutWrite()]),
    tools,
    prompt,
    signal: controller.signal,
    onEvent,
  });
  expect(outcome.status).toBe("aborted");
  expect(eventsOfType(events, "tool-call")).toEqual([]);
});

test("no call is salvaged from a damaged reply", async () => {
  const damaged: Adapter = {
    ...mock([]),
    open: async () =>
      (async function* () {
        yield [{ type: "tool-input-start", key: 0, id: "w1", name: "write" }];
        yield [
          {
            type: "tool-input-delta",
            key: 0,
            text: `{"path":${JSON.stringify(path)},"content":"One`,
          },
        ];
        yield [{ type: "tool-input-start", key: 0, id: "another", name: "edit" }];
      })(),
  };
  const { outcome, events } = await runWatched({ adapter: damaged, tools, prompt });
  expect(outcome).toMatchObject({
    status: "failed",
    error: { kind: "malformed-reply" },
    turn: { withheld: [{ name: "write" }] },
  });
  expect(eventsOfType(events, "tool-call")).toEqual([]);
});

test("a salvaged call may wait for a decision, and its result still has the notice", async () => {
  const model = mock([cutWrite(), cutWrite(), cutWrite()]);
  const outcome = await run({ adapter: model, tools, prompt, approve: () => "later" }).outcome();
  if (outcome.status !== "waiting") return expect.unreachable(outcome.status);
  const { messages, turn, calls } = outcome;
  const decisions = Object.fromEntries(calls.map(({ id }) => [id, true]));
  const waiting = { turn: JSON.parse(JSON.stringify(turn)), decisions };
  const next = await run({ adapter: mock(["Done."]), tools, messages, waiting }).outcome();
  expect(resultsIn(next.messages)[0]?.content).toMatch(
    /^Your call of write was cut off, so its input was incomplete\./,
  );
  expect(await readFile(path, "utf8")).toBe("One,\ntwo");
});

test("two cut calls are not salvaged, and neither is one whose tool has no salvage or returns nothing", async () => {
  const two: Say = {
    calls: [
      { name: "edit", input: { path, find: "a", replace: "b" } },
      ...(cutWrite().calls ?? []),
    ],
    stop: "length",
  };
  const other: Say = { calls: [{ name: "edit", inputText: '{"path":"a' }], stop: "length" };
  const early: Say = {
    calls: [{ name: "write", inputText: '{"path":"/etc/pass' }],
    stop: "length",
  };
  for (const step of [two, other, early]) {
    const { outcome, events } = await runWatched({
      adapter: mock([step, step, step]),
      tools,
      prompt,
    });
    expect(outcome.status).toBe("truncated");
    expect(eventsOfType(events, "tool-call")).toEqual([]);
  }
});

test("a salvage that throws counts as nothing", async () => {
  const input = (): never => {
    throw new Error("No.");
  };
  const broken: Tool = { ...write, salvage: { continueWith: ["edit"], input } };
  const outcome = await run({
    adapter: mock([cutWrite(), cutWrite(), cutWrite()]),
    tools: [broken, edit],
    prompt,
  }).outcome();
  expect(outcome).toMatchObject({ status: "truncated", withheld: [{ name: "write" }] });
});

test("a salvaged input is validated like any other", async () => {
  const wrong: Tool = { ...write, salvage: { continueWith: ["edit"], input: () => ({ path }) } };
  const { outcome, events } = await runWatched({
    adapter: mock([cutWrite(), cutWrite(), cutWrite(), "Done."]),
    tools: [wrong, edit],
    prompt,
  });
  expect(resultsIn(outcome.messages)).toMatchObject([
    { isError: true, content: expect.stringContaining("input is not valid") },
  ]);
  expect(eventsOfType(events, "tool-call")).toEqual([]);
});

test("on the last turn no call is salvaged, and the outcome says what was cut", async () => {
  const outcome = await run({
    adapter: mock([cutWrite()]),
    tools,
    prompt,
    limits: { turns: 1 },
  }).outcome();
  expect(outcome).toMatchObject({ status: "truncated", withheld: [{ name: "write" }] });
  await expect(readFile(path)).rejects.toThrow("ENOENT");
});

test("if the host refuses a larger cap, the earlier reply can be salvaged", async () => {
  const model = mock([cutWrite(), cutWrite(), cutWrite(), rest(), "Done."]);
  const strict: Mock = {
    ...model,
    open: async (request, signal) => {
      if ((request.maxTokens ?? 0) <= 100) return model.open(request, signal);
      throw { status: 400, error: { message: "max_tokens: 200 > 100" } };
    },
  };
  const { outcome, events } = await runWatched({
    adapter: { ...strict, maxTokens: { ceiling: 200 } },
    tools,
    prompt,
    request: { maxTokens: 100 },
  });
  expect(recoveries(events).at(-1)).toBe("salvage: length");
  expect(await readFile(path, "utf8")).toBe("One,\ntwo,\nthree.");
  expect(outcome.status).toBe("done");
});

test("continueWith must name offered tools, otherwise it is an error at once", () => {
  expect(() => run({ adapter: mock([]), tools: [write], prompt })).toThrow(
    'names "edit", which is not in `tools`',
  );
  const none: Tool = { ...write, salvage: { continueWith: [], input: () => undefined } };
  expect(() => run({ adapter: mock([]), tools: [none], prompt })).toThrow(
    "must name at least one tool",
  );
});

test("the types check the result of salvage", () => {
  const inputSchema = z.object({ path: z.string().transform((path) => ({ path })) });
  const described = { name: "write", description: "Write.", inputSchema, execute: () => "ok" };
  tool({ ...described, salvage: { continueWith: ["edit"], input: () => ({ path: "a" }) } });
  const transformed = () => ({ path: { path: "a" } });
  // @ts-expect-error the input of the schema, not its output
  tool({ ...described, salvage: { continueWith: ["edit"], input: transformed } });
  // @ts-expect-error one without the other
  tool({ ...described, salvage: { input: () => undefined } });
});
