import { agentTool, jsonSchema, type RunOptions } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { contents, keys, pay, runJournaled } from "./journaled-run.ts";
import { type JournalLine, type MemoryJournal, memoryJournal } from "./memory.ts";
import { call } from "./script-run.ts";
import { recorder } from "./tools.ts";

/** Runs `pay` in a run of this id, and gives what the tool returned: its idempotency key. */
async function keysOf(
  runId: string,
  journal: MemoryJournal = memoryJournal(),
  options: Partial<RunOptions> = {},
): Promise<readonly unknown[]> {
  const store = { store: journal, runId };
  const { outcome } = await runJournaled(journal, [pay, "Done."], { journal: store, ...options });
  return contents(outcome.messages);
}

/** A sub-agent that pays. */
const agent = (spy: ReturnType<typeof recorder>) =>
  agentTool({
    name: "agent",
    description: "An agent.",
    inputSchema: jsonSchema({ type: "object" }),
    run: () => ({ adapter: mock([pay, "Paid."]), prompt: "Pay.", tools: [spy] }),
  });

test("the key of a call in a sub-agent is not the key of a call in another run", async () => {
  const idempotencyKeys: string[] = [];
  const spy = recorder("pay", (_, { idempotencyKey }) => idempotencyKeys.push(idempotencyKey));
  const journal = memoryJournal();
  await runJournaled(journal, [call("agent"), "Done."], {
    tools: [agent(spy)],
    journal: { store: journal, runId: "na" },
  });
  expect(idempotencyKeys).toEqual(["na/1/1/1/1"]);
  expect(await keysOf("na/1/1")).toEqual(["paid na%2F1%2F1/1/1"]);
});

test("ids that differ have keys that differ", async () => {
  const ids = ["a/1/1", "a%2F1%2F1", "a%2F1/1", "a%252F1/1", "a"];
  const found = await Promise.all(ids.map((id) => keysOf(id)));
  expect(new Set(found.flat()).size).toBe(ids.length);
});

const ruleNames = [
  "notAborted",
  "noProviderError",
  "readable",
  "transportIntact",
  "ended",
  "finished",
  "callsPermitted",
  "belowCap",
  "inputsClosed",
  "callsNamed",
  "inputsNotMissing",
  "inputsValid",
  "hasRequestedCall",
];
/** What the release before wrote for a run `tenant/3/7` that was stopped in its first call. */
const earlier: readonly JournalLine[] = [
  {
    key: "tenant/3/7",
    kind: "run",
    value: "29457e7e127d910c6c47f05a5d792ec904497781203b378b03de1075ca89f12b",
  },
  {
    key: "tenant/3/7/1/model",
    kind: "model",
    value: {
      native: { stop: "tool-use" },
      text: "",
      usage: { input: 100, output: 20 },
      rules: ruleNames.map((rule) => ({ rule, passed: true })),
      stopReason: "tool-use",
      message: {
        role: "assistant",
        content: [{ type: "tool-call", id: "call_1_0", name: "pay", inputText: '{"cents":5}' }],
        from: { provider: "mock", protocol: "mock", model: "mock" },
        stopReason: "tool-use",
        native: { stop: "tool-use" },
        usage: { input: 100, output: 20 },
      },
      withheld: [],
    },
  },
];

test("a run that an earlier release began goes on with its keys", async () => {
  const journal = memoryJournal(earlier);
  const spy = recorder("pay", (_, { idempotencyKey }) => `paid ${idempotencyKey}`);
  const tools = [{ ...spy, idempotent: true }];
  const options = { tools, adapter: mock([pay, "Done."]) };
  expect(await keysOf("tenant/3/7", journal, options)).toEqual([
    "paid tenant/3/7/1/1",
    "paid tenant/3/7/2/1",
  ]);
  expect(keys(journal)).toEqual([
    "tenant/3/7",
    "tenant/3/7/1/model",
    "tenant/3/7/1/1",
    "tenant/3/7/2/model",
    "tenant/3/7/2/1",
    "tenant/3/7/3/model",
  ]);
});

test("agentTool says what to pass if it gets nothing", () => {
  expect(() => agentTool(undefined as never)).toThrow("`agentTool` needs an object with `name`");
});
