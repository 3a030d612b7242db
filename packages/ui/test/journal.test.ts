import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Chat } from "@ai-sdk/react";
import { fileJournal } from "@fullstop/journal-file";
import {
  agentTool,
  type Journal,
  jsonSchema,
  needsInput,
  type Outcome,
  run,
  type Tool,
} from "@fullstop/loop";
import { mock, type Script } from "@fullstop/provider-mock";
import { readUiAnswers, readUiMessages, uiResponse } from "@fullstop/ui";
import { DefaultChatTransport, type UIMessage } from "ai";
import { expect, onTestFinished, test } from "vitest";
import { gatedTool, look } from "./gate.ts";
import { listen } from "./server.ts";

interface Opened {
  readonly chat: Chat<UIMessage>;
  readonly outcomes: readonly Outcome[];
}

/** A chat whose runs are in a journal. Each request continues the same run. */
async function open(script: Script, tools: readonly Tool[]): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), "fullstop-ui-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const store = fileJournal(join(folder, "run.jsonl"));
  const outcomes: Outcome[] = [];
  const adapter = mock(script);
  const url = await listen(async (request) => {
    const { messages } = (await request.json()) as { messages: readonly UIMessage[] };
    const before = outcomes.at(-1);
    const answers =
      before?.status === "waiting" ? readUiAnswers(messages, before.calls) : undefined;
    const next = run({
      adapter,
      tools,
      prompt: "Go.",
      journal: { store, runId: "one" },
      ...(answers !== undefined && { waiting: answers }),
    });
    return uiResponse(next, { messages, onEnd: (outcome) => void outcomes.push(outcome) });
  });
  const transport = new DefaultChatTransport<UIMessage>({ api: url });
  return { chat: new Chat<UIMessage>({ transport }), outcomes };
}
const shown = ({ lastMessage }: Chat<UIMessage>): unknown =>
  lastMessage?.parts.map((part) =>
    "toolCallId" in part ? [part.type, part.state] : [part.type, "text" in part ? part.text : ""],
  );

test("a call of a sub-agent is decided in the page, and nothing is shown twice", async () => {
  const paid: unknown[] = [];
  const pay: Tool = {
    ...look,
    name: "pay",
    needsApproval: true,
    execute: (input) => {
      paid.push(input);
      return "paid";
    },
  };
  const inner = mock([{ calls: [{ name: "pay", input: { amount: 5 } }] }, "I paid."]);
  const assistant = agentTool({
    name: "assistant",
    description: "An agent.",
    inputSchema: jsonSchema({ type: "object" }),
    run: () => ({ adapter: inner, prompt: "Pay.", tools: [pay] }),
  });
  const calls = [
    { name: "look", input: {} },
    { name: "assistant", input: {} },
  ];
  const { chat, outcomes } = await open([{ text: "I ask.", calls }, "Done."], [look, assistant]);
  await chat.sendMessage({ text: "Go." });
  expect(outcomes).toMatchObject([{ status: "waiting" }]);
  const asked = chat.lastMessage?.parts.find((part) => part.type === "tool-pay");
  expect(asked).toMatchObject({ state: "approval-requested", input: { amount: 5 } });
  const { approval } = asked as { approval: { id: string } };
  await chat.addToolApprovalResponse({ id: approval.id, approved: true });
  await chat.sendMessage();
  expect(chat.error).toBeUndefined();
  expect(paid).toEqual([{ amount: 5 }]);
  expect(shown(chat)).toEqual([
    ["step-start", ""],
    ["text", "I ask."],
    ["tool-look", "output-available"],
    ["tool-assistant", "output-available"],
    ["tool-pay", "output-available"],
    ["step-start", ""],
    ["text", "Done."],
  ]);
  // The call of the sub-agent is none of this conversation.
  const history = readUiMessages(chat.messages);
  expect(JSON.stringify(history)).not.toContain('"pay"');
  expect(history).toHaveLength(4);
});

test("a question of a tool is answered in the page with `addToolOutput`", async () => {
  const book: Tool = {
    ...look,
    name: "book",
    execute: (_, { given }) =>
      given === undefined ? needsInput({ ask: "How many?" }, {}) : `Booked for ${given.input}.`,
  };
  const { chat, outcomes } = await open(
    [{ calls: [{ name: "book", input: {} }] }, "Done."],
    [book],
  );
  await chat.sendMessage({ text: "Go." });
  const question = chat.lastMessage?.parts.find((part) => part.type === "data-waiting");
  expect(question).toMatchObject({
    data: { name: "book", needs: "input", question: { ask: "How many?" } },
  });
  const { id } = (question as { data: { id: string } }).data;
  await chat.addToolOutput({ tool: "book", toolCallId: id, output: 4 });
  await chat.sendMessage();
  expect(chat.error).toBeUndefined();
  expect(outcomes.at(-1)).toMatchObject({ status: "done" });
  expect(JSON.stringify(outcomes.at(-1)?.messages)).toContain("Booked for 4.");
  expect(shown(chat)).toContainEqual(["tool-book", "output-available"]);
  expect(readUiMessages(chat.messages)).toMatchObject([
    { role: "user" },
    { role: "assistant", content: [{ type: "tool-call", name: "book" }] },
    { role: "tool", content: [{ content: "Booked for 4." }] },
    { role: "assistant" },
  ]);
});

test("a run that the journal has is shown from its beginning in a new message", async () => {
  const script = [{ text: "I look.", calls: [{ name: "look", input: {} }] }, "Done."];
  const { chat } = await open(script, [look]);
  await chat.sendMessage({ text: "Go." });
  const before = shown(chat);
  chat.messages = [];
  await chat.sendMessage({ text: "Go." });
  expect(shown(chat)).toEqual(before);
});

test("a journal that fails when the client has gone is reported, and nothing else fails", async () => {
  const folder = await mkdtemp(join(tmpdir(), "fullstop-ui-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const journal = fileJournal(join(folder, "run.jsonl"));
  const store: Journal = {
    open: async (...run) => {
      const lease = await journal.open(...run);
      const close = async (): Promise<void> => {
        await lease.close();
        throw new Error("The disk is full.");
      };
      return Object.assign(Object.create(lease), { close });
    },
  };
  const waiting = gatedTool();
  const seen = Promise.withResolvers<unknown>();
  const response = await uiResponse(
    run({
      adapter: mock([{ calls: [{ name: "wait", input: {} }] }]),
      tools: [waiting.tool],
      prompt: "Wait.",
      journal: { store, runId: "one" },
    }),
    { onError: (thrown) => void seen.resolve(thrown) },
  );
  await waiting.started;
  await response.body?.cancel();
  expect(await seen.promise).toMatchObject({ message: "The disk is full." });
  await new Promise(setImmediate); // A rejection without a handler would fail this file.
});
