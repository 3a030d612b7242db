import {
  agentTool,
  jsonSchema,
  type Outcome,
  type RunEvent,
  type RunOptions,
  run,
  type Tool,
} from "@fullstop/loop";
import { type JournalTable, leasedJournal } from "@fullstop/loop/journal";
import { mock, type Script } from "@fullstop/provider-mock";
import { afterEach, expect, test, vi } from "vitest";
import { countTimers } from "./count-timers.ts";
import { contents, pay } from "./journaled-run.ts";
import { ConnectionError, type MemoryTable, memoryTable } from "./memory-table.ts";
import { call, calls } from "./script-run.ts";
import { eventsOfType, recorder } from "./tools.ts";

const leaseMs = 60;

interface Started {
  readonly outcome: Promise<Outcome>;
  readonly events: readonly RunEvent[];
}
/** Starts a script as the run `r` over a table. */
function start(table: JournalTable, script: Script, options: Partial<RunOptions> = {}): Started {
  const events: RunEvent[] = [];
  const outcome = run({
    adapter: mock(script),
    tools: [recorder("pay", () => "paid")],
    prompt: "Go.",
    recovery: { maxWaitMs: 0 },
    journal: { store: leasedJournal(table, { leaseMs }), runId: "r" },
    onEvent: (event) => events.push(event),
    ...options,
  }).outcome();
  return { outcome, events };
}
/** Another process takes the run, because the lease of the first one has ended. */
function takeOver(table: MemoryTable): Promise<unknown> {
  table.moveClock(leaseMs);
  return table.connect().claim("r", leaseMs);
}
/** A tool that never ends, and tells when it has started and when it is aborted. */
function hanging(name: string) {
  const started = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<unknown>();
  const tool: Tool = recorder(name, (_, { signal }) => {
    signal.addEventListener("abort", () => stopped.resolve(signal.reason));
    started.resolve();
    return new Promise(() => {});
  });
  return { tool, started: started.promise, stopped: stopped.promise };
}

afterEach(() => void vi.useRealTimers());

test("when another process takes the run, its tools are aborted, the outcome rejects, and nothing is recorded", async () => {
  const table = memoryTable();
  const { tool, started, stopped } = hanging("pay");
  const { outcome, events } = start(table.connect(), [pay], { tools: [tool] });
  const rejected = expect(outcome).rejects.toMatchObject({ name: "JournalError", kind: "lost" });
  await started;
  await takeOver(table);
  await rejected;
  expect(await stopped).toMatchObject({ kind: "lost" });
  expect(table.recorded()).toEqual(["r", "r/1/model", "r/1/1 begun"]);
  expect(table.ends).toEqual([]);
  expect(eventsOfType(events, "end")).toEqual([]);
  expect(eventsOfType(events, "tool-result")).toEqual([]);
});

test("the same while a sub-agent runs", async () => {
  const table = memoryTable();
  const { tool, started, stopped } = hanging("pay");
  const agent = agentTool({
    name: "agent",
    description: "An agent.",
    inputSchema: jsonSchema({ type: "object" }),
    run: () => ({ adapter: mock([pay, "Never."]), prompt: "Pay.", tools: [tool] }),
  });
  const { outcome, events } = start(table.connect(), [call("agent")], { tools: [agent] });
  const rejected = expect(outcome).rejects.toMatchObject({ kind: "lost" });
  await started;
  await takeOver(table);
  await rejected;
  expect(await stopped).toBeDefined();
  expect(table.recorded()).toEqual([
    "r",
    "r/1/model",
    "r/1/1/run",
    "r/1/1/1/model",
    "r/1/1/1/1 begun",
  ]);
  expect(eventsOfType(events, "end")).toEqual([]);
  expect(eventsOfType(events, "tool-result")).toEqual([]);
});

test.each<[string, () => Partial<RunOptions>, string]>([
  ["an abort of the caller", () => ({ signal: AbortSignal.timeout(500) }), "the run was aborted"],
  ["the deadline", () => ({ limits: { deadlineMs: 500 } }), "the deadline of the run was reached"],
])("%s ends a write that hangs, and the call is in doubt then", async (_, options, cause) => {
  const table = memoryTable();
  const hangs = table.connect({
    fault: (operation, when, key) =>
      operation === "write" && when === "before" && key === "r/1/1"
        ? new Promise(() => {})
        : undefined,
  });
  const store = leasedJournal(hangs, { leaseMs: 600_000 });
  const { outcome } = start(hangs, [pay], { journal: { store, runId: "r" }, ...options() });
  await expect(outcome).rejects.toMatchObject({
    kind: "unavailable",
    message: `The step "r/1/1" could not be recorded within 2 s after ${cause}. Start the run again: what was recorded counts.`,
  });
  expect(table.ends).toEqual([undefined]);
  const { messages } = await start(table.connect(), ["Done."]).outcome;
  expect(contents(messages)).toEqual([expect.stringContaining("Its outcome is unknown.")]);
});

test("a connection that is cut between the beginning and the end of a call loses no result", async () => {
  const table = memoryTable();
  let cuts = 0;
  const connection = table.connect({
    fault: (operation, _, key) => {
      if (operation !== "write" || key !== "r/1/1" || cuts === 3) return;
      cuts += 1;
      throw new ConnectionError("cut");
    },
  });
  const ended = await start(connection, [pay, "Done."]).outcome;
  expect([contents(ended.messages), cuts]).toEqual([["paid"], 3]);
  expect(JSON.parse(table.json("r/1/1") ?? "")).toEqual({ content: "paid" });
});

test("the result of a tool that is larger than the journal takes becomes an error result, and the run goes on", async () => {
  const table = memoryTable();
  const size = 2000;
  const long = recorder("pay", () => "€".repeat(size));
  const connection = table.connect({ maxStepBytes: size });
  const { outcome, events } = start(connection, [pay, "Done."], { tools: [long] });
  const { status, messages } = await outcome;
  expect(status).toBe("done");
  expect(contents(messages)).toEqual([
    expect.stringMatching(
      /^pay finished, but its output is larger than the 2000 bytes that the journal takes/,
    ),
  ]);
  expect(eventsOfType(events, "tool-result")).toMatchObject([
    { ran: true, result: { isError: true } },
  ]);
  const again = await start(table.connect(), []).outcome;
  expect(again.messages).toEqual(messages);
});

test("the same holds for a result that a settlement gives, and for one from outside", async () => {
  const table = memoryTable();
  const controller = new AbortController();
  const { tool, started } = hanging("pay");
  const { signal } = controller;
  const first = start(table.connect(), [pay], { tools: [tool], signal });
  await started;
  controller.abort();
  expect(await first.outcome).toMatchObject({ status: "aborted" });
  const long = "€".repeat(2000);
  const store = leasedJournal(table.connect({ maxStepBytes: 2000 }), { leaseMs });
  const settle = () => ({ result: long });
  const second = start(table.connect(), ["Done."], { journal: { store, runId: "r", settle } });
  const tooLarge = expect.stringContaining("larger than the 2000 bytes that the journal takes");
  expect(contents((await second.outcome).messages)).toEqual([tooLarge]);

  const other = memoryTable();
  const { execute: _, ...ask } = recorder("pay");
  const waited = await start(other.connect(), [pay], { tools: [ask] }).outcome;
  const id = waited.status === "waiting" ? (waited.calls[0]?.id ?? "") : "";
  const waiting = { results: { [id]: long } };
  const connection = other.connect({ maxStepBytes: 2000 });
  const last = await start(connection, ["Done."], { tools: [ask], waiting }).outcome;
  expect(contents(last.messages)).toEqual([tooLarge]);
});

test("a reply that is larger than the journal takes ends the run, and the error names the option", async () => {
  const table = memoryTable();
  const connection = table.connect({ maxStepBytes: 2000 });
  await expect(start(connection, ["word ".repeat(1000)]).outcome).rejects.toMatchObject({
    kind: "too-large",
    message: expect.stringMatching(/"r\/1\/model" has \d+ bytes.* raise `maxStepBytes`/),
  });
  expect(table.ends).toEqual([undefined]);
});

const aborted = AbortSignal.abort.bind(AbortSignal);
const answerSchema = jsonSchema({ type: "object", required: ["n"] });
const same = (count: number): Script => Array.from({ length: count }, () => pay);
const endings: Readonly<
  Record<Exclude<Outcome["status"], "waiting" | "aborted">, [Script, Partial<RunOptions>]>
> = {
  done: [["Done."], {}],
  stopped: [[pay], { stopWhen: () => true }],
  "invalid-output": [
    ["{}"],
    {
      output: answerSchema,
      adapter: { ...mock(["{}"]), outputFormat: "always" },
      recovery: { notes: 0 },
    },
  ],
  truncated: [[{ text: "Half", stop: "length" }], { recovery: { requests: 1 } }],
  refused: [[{ stop: "refusal" }], {}],
  failed: [[{ stop: "error" }], { recovery: { requests: 1 } }],
  stuck: [[...same(5), "Stuck."], {}],
  limit: [[pay], { limits: { turns: 1 } }],
};
test.each(Object.entries(endings))(
  "the journal knows that a run ended with the status %s",
  async (status, [script, options]) => {
    const table = memoryTable();
    expect(await start(table.connect(), script, options).outcome).toMatchObject({ status });
    expect(table.ends).toEqual([{ status }]);
  },
);

test("the journal has the calls of a run that waits, and the status of one that was aborted", async () => {
  const table = memoryTable();
  const waited = await start(table.connect(), [pay], { approve: () => "later" }).outcome;
  const controller = new AbortController();
  const { signal } = controller;
  const again = await start(table.connect(), [], {
    approve: () => {
      controller.abort();
      return true;
    },
    signal,
  }).outcome;
  expect([waited.status, again.status]).toEqual(["waiting", "aborted"]);
  expect(table.ends).toEqual([
    { status: "waiting", calls: waited.status === "waiting" ? waited.calls : [] },
    { status: "aborted" },
  ]);
});

test("a run that rejects aborts its tools, and then gives its lease back without a status", async () => {
  const table = memoryTable();
  const { tool, stopped } = hanging("slow");
  const order: string[] = [];
  void stopped.then(() => order.push("aborted"));
  const connection = table.connect({
    fault: (operation, _, key) => {
      if (operation === "release") order.push("release");
      if (key === "r/1/2 begun") throw new Error("no space left");
    },
  });
  const script = [calls("slow", "pay")];
  const { outcome, events } = start(connection, script, { tools: [tool, recorder("pay")] });
  await expect(outcome).rejects.toThrow("no space left");
  expect(order.slice(0, 2)).toEqual(["aborted", "release"]);
  expect(table.ends).toEqual([undefined]);
  expect(eventsOfType(events, "end")).toEqual([]);
  const after = await start(table.connect(), ["Done."], { tools: [] }).outcome;
  expect(contents(after.messages)[0]).toContain("slow had started when the run was stopped");
});

test("a run whose end cannot be stored rejects without an `end`, and has the same outcome again", async () => {
  const table = memoryTable();
  const connection = table.connect({
    fault: (operation) => {
      if (operation === "release") throw new Error("read only");
    },
  });
  const { outcome, events } = start(connection, [pay, "Done."]);
  await expect(outcome).rejects.toThrow("read only");
  expect(eventsOfType(events, "end")).toEqual([]);
  table.moveClock(leaseMs);
  expect(await start(table.connect(), []).outcome).toMatchObject({ status: "done", text: "Done." });
});

test("an abort while the run waits for its lease ends it with the status aborted", async () => {
  const table = memoryTable();
  await table.connect().claim("r", leaseMs);
  const controller = new AbortController();
  const connection = table.connect({
    fault: (operation) => void (operation === "claim" && setImmediate(() => controller.abort())),
  });
  const model = mock([]);
  const ended = await start(connection, [], { adapter: model, signal: controller.signal }).outcome;
  expect([ended.status, model.requests.length, table.recorded()]).toEqual(["aborted", 0, []]);
  const before = await start(table.connect(), [], { signal: aborted() }).outcome;
  expect(before.status).toBe("aborted");
});

test("the deadline of a run also ends its wait for the lease", async () => {
  const table = memoryTable();
  await table.connect().claim("r", leaseMs);
  const { outcome, events } = start(table.connect(), [], { limits: { deadlineMs: 20 } });
  expect(await outcome).toMatchObject({ status: "limit", limit: "deadlineMs", turns: 1 });
  expect(eventsOfType(events, "end")).toHaveLength(1);
  expect(table.recorded()).toEqual([]);
});

test("a run that another process is running rejects", async () => {
  const table = memoryTable();
  const { tool, started } = hanging("pay");
  const controller = new AbortController();
  const first = start(table.connect(), [pay], { tools: [tool], signal: controller.signal });
  await started;
  await expect(start(table.connect(), []).outcome).rejects.toMatchObject({ kind: "in-use" });
  controller.abort();
  expect(await first.outcome).toMatchObject({ status: "aborted" });
});

test("a run leaves no timer behind, however it ends", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const timers = countTimers();
  await start(memoryTable().connect(), [pay, "Done."]).outcome;
  const broken = memoryTable().connect({
    fault: (operation) => {
      if (operation === "write") throw new Error("no space left");
    },
  });
  await expect(start(broken, [pay]).outcome).rejects.toThrow("no space left");
  expect(timers()).toBe(0);
});
