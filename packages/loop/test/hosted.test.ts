import {
  type Approve,
  jsonSchema,
  type Outcome,
  type RunOptions,
  run,
  type Tool,
  type ToolResultBlock,
} from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { memoryJournal } from "./memory.ts";
import { eventsOfType, recorder, runWatched } from "./tools.ts";

const patch = {
  calls: [{ name: "apply_patch", input: { type: "create_file", path: "a.txt", diff: "+a" } }],
};
const native = (type: string, more: object = {}) => ({
  provider: "mock",
  definition: { type, ...more },
});
const results = ({ messages }: Outcome): readonly ToolResultBlock[] =>
  messages.flatMap((message) => (message.role === "tool" ? message.content : []));

test("a call of a native tool runs if the program offers a tool with that name", async () => {
  const apply = recorder("apply_patch");
  const model = mock([patch, "Done."]);
  const outcome = await run({
    adapter: model,
    tools: [{ ...apply, ...native("apply_patch") }],
    prompt: "Go.",
  }).outcome();
  expect(outcome.status).toBe("done");
  expect(apply.ran).toEqual([patch.calls[0]?.input]);
  expect(model.requests[0]?.tools).toMatchObject([{ definition: { type: "apply_patch" } }]);
});

test.each([
  ["apply_patch", native("apply_patch")],
  ["local_shell", native("local_shell")],
  ["shell", native("shell", { environment: { type: "local" } })],
  ["computer", native("computer")],
  ["computer", native("computer_use_preview", { display_width: 800 })],
  ["tool_search", native("tool_search", { execution: "client" })],
  ["bash", native("bash_20250124", { name: "bash" })],
  ["bash", { ...native("bash_20250124"), name: "bash" }],
])(
  "a call of %s without an execute ends the run, and the outcome says how to add it",
  async (name, tool) => {
    const spy = recorder("read");
    const calls = [
      { name: "read", input: {} },
      { name, input: { action: "go" } },
    ];
    const model = mock([{ text: "I do it.", calls }]);
    const { outcome, events } = await runWatched({
      adapter: model,
      tools: [spy, tool],
      prompt: "Go.",
    });
    expect(outcome).toMatchObject({
      status: "failed",
      error: { kind: "invalid-request" },
      messages: [{ role: "user" }],
      turn: { calls },
    });
    expect(outcome.summary).toContain(
      `The model called "${name}", a tool that mock defines and your program must run. No call ran. Add an \`execute\``,
    );
    expect(spy.ran).toEqual([]);
    expect(eventsOfType(events, "tool-result")).toEqual([]);
  },
);

test("a native tool that was not offered is an unknown tool", async () => {
  const outcome = await run({
    adapter: mock([patch, "Then not."]),
    tools: [recorder("read"), native("web_search")],
    prompt: "Go.",
  }).outcome();
  expect(outcome.status).toBe("done");
  expect(results(outcome)[0]?.content).toBe(
    'No tool is named "apply_patch". Available tools: read.',
  );
});

const approvalRequest = {
  calls: [
    {
      name: "mcp_approval",
      asks: "approval" as const,
      id: "mcpr_1",
      input: { server_label: "crm", name: "delete", arguments: '{"id":7}' },
    },
  ],
};
const runApproval = async (options: Partial<RunOptions>, script = [approvalRequest, "Done."]) => {
  const model = mock(script);
  return {
    ...(await runWatched({ adapter: model, prompt: "Go.", tools: [native("mcp")], ...options })),
    model,
  };
};

test.each<[string, Approve, Partial<ToolResultBlock>]>([
  ["yes", () => true, { content: "approve" }],
  ["yes to this input", ({ input }) => ({ allow: input }), { content: "approve" }],
  ["no", () => false, { content: "deny", isError: true }],
  [
    "no, and why",
    () => ({ deny: "not on a Friday" }),
    { content: "deny: not on a Friday", isError: true },
  ],
  [
    "nothing that can be read",
    () => "yes" as never,
    { content: "deny: the decision about it is not valid.", isError: true },
  ],
  [
    "yes to another input",
    () => ({ allow: {} }),
    {
      content:
        "deny: the program allowed it only with another input, which you did not write. That input did not run either. Do not repeat the call unchanged.",
      isError: true,
    },
  ],
])(
  "whether the provider may run a tool of its own is asked through `approve`: %s",
  async (_, approve, expected) => {
    const seen: unknown[] = [];
    const noted: Approve = (call, context) => {
      seen.push(call);
      return approve(call, context);
    };
    const { outcome, events, model } = await runApproval({ approve: noted });
    expect(seen).toMatchObject([{ name: "mcp_approval", input: approvalRequest.calls[0]?.input }]);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ content: [expected] });
    expect(results(outcome)[0]).toEqual({
      type: "tool-result",
      id: expect.any(String),
      name: "mcp_approval",
      ...expected,
    });
    expect(eventsOfType(events, "tool-call")).toEqual([]);
    expect(outcome.status).toBe("done");
  },
);

test.each<[string, Partial<RunOptions>]>([
  ["decided on later", { approve: () => "later" }],
  ["asked without anybody to decide", {}],
])(
  "a provider's approval request that is %s makes the run wait, and a later run continues",
  async (_, options) => {
    const { outcome } = await runApproval(options);
    expect(outcome).toMatchObject({
      status: "waiting",
      calls: [{ name: "mcp_approval", input: { server_label: "crm" } }],
    });
    if (outcome.status !== "waiting") return;
    const [call] = outcome.calls;
    for (const [decision, content] of [
      [true, "approve"],
      [false, "deny"],
    ] as const) {
      const waiting = {
        turn: JSON.parse(JSON.stringify(outcome.turn)),
        decisions: { [call?.id ?? ""]: decision },
      };
      const { messages } = outcome;
      const next = await run({
        adapter: mock(["Done."]),
        messages,
        waiting,
        tools: [native("mcp")],
      }).outcome();
      expect(next.status).toBe("done");
      expect(results(next)[0]?.content).toBe(content);
    }
  },
);

test("a decision is journaled, and approve is not called twice", async () => {
  const journal = memoryJournal();
  let times = 0;
  const options = { journal: { store: journal, runId: "r" }, approve: () => ++times > 0 };
  await runApproval(options);
  const killed = memoryJournal(
    journal.lines.filter(({ key }) => !["r/1/1", "r/2/model"].includes(key)),
  );
  const { outcome } = await runApproval({ ...options, journal: { store: killed, runId: "r" } }, [
    "Done.",
  ] as never);
  expect([results(outcome)[0]?.content, times]).toEqual(["approve", 1]);
});

test("a call of that name which the provider did not mark is a call of an unknown tool", async () => {
  const [unmarked] = approvalRequest.calls.map(({ asks: _, ...call }) => call);
  const { outcome } = await runApproval({ approve: () => true }, [
    { calls: [unmarked] },
    "Done.",
  ] as never);
  expect(results(outcome)[0]?.content).toContain('No tool is named "mcp_approval".');
});

test("a tool of the program with that name runs instead", async () => {
  const own: Tool = {
    ...recorder("mcp_approval", () => "approve"),
    inputSchema: jsonSchema({ type: "object" }),
  };
  const { outcome, events } = await runApproval({ tools: [own] });
  expect(results(outcome)[0]?.content).toBe("approve");
  expect(eventsOfType(events, "tool-call")).toHaveLength(1);
});
