import {
  type AgentOptions,
  agentTool,
  jsonSchema,
  type RunOptions,
  type Tool,
} from "@fullstop/loop";
import { mock, type Say, type Script } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { contents, keys, withoutLines } from "./journaled-run.ts";
import { type MemoryJournal, memoryJournal } from "./memory.ts";
import { call, calls } from "./script-run.ts";
import { eventsOfType, recorder, runWatched } from "./tools.ts";

const spends = (output: number, say: Say): Say => ({ ...say, usage: { input: 1, output } });

interface Attempt {
  readonly root: Script;
  readonly inner?: Script;
  readonly agent?: Partial<AgentOptions>;
  readonly options?: Partial<RunOptions>;
}
/** Runs a script with the tools `look` and `inner`, a sub-agent that has `pay`. */
async function attempt(journal: MemoryJournal, { root, inner = [], agent, options }: Attempt) {
  const pay = recorder("pay", (_, { idempotencyKey }) => `paid ${idempotencyKey}`);
  const look = recorder("look", (_, { idempotencyKey }) => `looked ${idempotencyKey}`);
  const model = mock(inner);
  let starts = 0;
  const tool: Tool = agentTool({
    name: "inner",
    description: "An agent.",
    inputSchema: jsonSchema({ type: "object" }),
    run: () => {
      starts++;
      return { adapter: model, prompt: "Pay.", tools: [pay], ...agent };
    },
  });
  const { outcome, events } = await runWatched({
    adapter: mock(root),
    tools: [look, tool],
    prompt: "Go.",
    journal: { store: journal, runId: "r" },
    limits: { concurrency: 1, price: ({ output }) => output },
    ...options,
  });
  const inside = eventsOfType(events, "tool-result").filter(({ path }) => path.length > 0);
  return {
    outcome,
    events,
    starts,
    paid: pay.ran.length,
    looked: look.ran.length,
    asked: model.requests.length,
    inside: inside.map(({ result }) => String(result.content)),
  };
}
const whole: Attempt = {
  root: [spends(1, calls("look", "inner")), spends(2, { text: "Done." })],
  inner: [spends(10, call("pay")), spends(20, { text: "Paid." })],
};

test("the keys of a sub-agent lie under the key of its call, which has no recorded beginning", async () => {
  const journal = memoryJournal();
  await attempt(journal, whole);
  expect(keys(journal)).toEqual([
    "r",
    "r/1/model",
    "r/1/1 begun",
    "r/1/1",
    "r/1/2/run",
    "r/1/2/1/model",
    "r/1/2/1/1 begun",
    "r/1/2/1/1",
    "r/1/2/2/model",
    "r/1/2",
    "r/2/model",
  ]);
});

test("a run that is resumed at any step repeats nothing that ended, and counts each request once", async () => {
  const journal = memoryJournal();
  const first = await attempt(journal, whole);
  expect(first.outcome).toMatchObject({ cost: 33, usage: { input: 4, output: 33 } });
  for (let kept = 0; kept <= journal.lines.length; kept++) {
    const lines = memoryJournal(journal.lines.slice(0, kept));
    const known = keys(lines);
    const has = (key: string): boolean => known.includes(key);
    const again = await attempt(lines, {
      root: whole.root.slice(["r/1/model", "r/2/model"].filter(has).length),
      inner: (whole.inner ?? []).slice(["r/1/2/1/model", "r/1/2/2/model"].filter(has).length),
    });
    expect(again.outcome).toMatchObject({ status: "done", text: "Done.", cost: 33 });
    expect(again.outcome.usage).toEqual(first.outcome.usage);
    expect(again.starts).toBe(has("r/1/2") ? 0 : 1);
    expect(again.looked).toBe(has("r/1/1 begun") ? 0 : 1);
    expect(again.paid).toBe(has("r/1/2/1/1 begun") ? 0 : 1);
    const isInDoubt = has("r/1/2/1/1 begun") && !has("r/1/2/1/1");
    expect(again.inside.some((text) => text.includes("outcome is unknown"))).toBe(isInDoubt);
    if (!has("r/1/1 begun") || has("r/1/1"))
      expect(contents(again.outcome.messages)).toEqual(["looked r/1/1", "Paid."]);
    expect(JSON.stringify(again.outcome.messages)).not.toContain("charges");
  }
});

test("an abort inside a sub-agent is not recorded: the run continues there", async () => {
  const journal = memoryJournal();
  const controller = new AbortController();
  const cut = await attempt(journal, {
    ...whole,
    options: {
      signal: controller.signal,
      onEvent: ({ type, path }) => path.length > 0 && type === "turn" && controller.abort(),
    },
  });
  expect([cut.outcome.status, cut.paid]).toEqual(["aborted", 0]);
  expect(keys(journal)).not.toContain("r/1/2");
  const again = await attempt(journal, { root: whole.root.slice(1), inner: ["Paid."] });
  expect(again.outcome.status).toBe("done");
  expect([again.paid, again.asked, again.looked]).toEqual([1, 1, 0]);
});

test("another conversation of the sub-agent under the same key rejects the run", async () => {
  const journal = memoryJournal();
  await attempt(journal, whole);
  const killed = withoutLines(journal.lines, ({ key }) => ["r/1/2", "r/2/model"].includes(key));
  const other = attempt(killed, { root: [], agent: { prompt: "Something else." } });
  await expect(other).rejects.toThrow(
    'The sub-agent of the call "r/1/2" began with other messages.',
  );
});

test("a journal that fails inside a sub-agent rejects the run, and the model is not told", async () => {
  const journal = memoryJournal([], ({ key }) => {
    if (key === "r/1/2/1/1") throw new Error("The disk is full.");
  });
  await expect(attempt(journal, whole)).rejects.toThrow("The disk is full.");
  expect(keys(journal)).not.toContain("r/1/2");
});

test("an approval inside a sub-agent is asked for once", async () => {
  const journal = memoryJournal();
  const asked: string[] = [];
  const options: Partial<RunOptions> = {
    approve: ({ name }) => {
      asked.push(name);
      return true;
    },
  };
  await attempt(journal, { ...whole, options });
  expect(asked).toEqual(["look", "inner", "pay"]);
  const killed = withoutLines(
    journal.lines,
    ({ key, begun }) => ["r/1/2", "r/2/model"].includes(key) || (key === "r/1/2/1/1" && !begun),
  );
  const again = await attempt(killed, { root: ["Done."], inner: [], options });
  expect(asked).toHaveLength(3);
  expect([again.outcome.status, again.paid, again.asked]).toEqual(["done", 0, 0]);
});
