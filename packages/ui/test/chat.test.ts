import { Chat } from "@ai-sdk/react";
import { jsonSchema, type RunOptions, type Tool, tool } from "@fullstop/loop";
import { mock, type Script } from "@fullstop/provider-mock";
import { readUiMessages } from "@fullstop/ui";
import {
  convertToModelMessages,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
  validateUIMessages,
} from "ai";
import { expect, test } from "vitest";
import { type ChatApp, chatApp } from "./chat-app.ts";
import { look, patience } from "./gate.ts";
import { listen } from "./server.ts";

type AppOptions = Parameters<typeof chatApp>[1];

interface Opened {
  readonly chat: Chat<UIMessage>;
  readonly app: ChatApp;
  readonly errors: readonly Error[];
}

/** The client of `useChat` over a real socket, without a page. */
async function open(
  script: Script,
  options: Partial<RunOptions> = {},
  app: AppOptions = {},
  init: Partial<ConstructorParameters<typeof Chat<UIMessage>>[0]> = {},
): Promise<Opened> {
  const served = chatApp({ adapter: mock(script), tools: [look], ...options }, app);
  const url = await listen(served.handler);
  const errors: Error[] = [];
  const chat = new Chat<UIMessage>({
    transport: new DefaultChatTransport({ api: `${url}/api/chat` }),
    onError: (error) => errors.push(error),
    ...init,
  });
  return { chat, app: served, errors };
}
const parts = (chat: Chat<UIMessage>): readonly object[] => chat.lastMessage?.parts ?? [];
const typesOf = (chat: Chat<UIMessage>): readonly string[] =>
  (chat.lastMessage?.parts ?? []).map(({ type }) => type);
const shownText = (chat: Chat<UIMessage>): string =>
  (chat.lastMessage?.parts ?? []).map((part) => (part.type === "text" ? part.text : "")).join("|");
const cut = { text: "Let me look.", calls: [{ name: "look", inputText: '{"path":"/secr' }] };
const send = (chat: Chat<UIMessage>, text = "Look."): Promise<void> => chat.sendMessage({ text });

test("a text, a tool and its result are the parts that the AI SDK makes of its own", async () => {
  const { chat, app } = await open([
    { thinking: "Hm.", text: "I look.", calls: [{ name: "look", input: { at: 1 } }] },
    "Done.",
  ]);
  await send(chat);
  expect(chat.status).toBe("ready");
  expect(parts(chat)).toMatchObject([
    { type: "step-start" },
    { type: "reasoning", text: "Hm.", state: "done" },
    { type: "text", text: "I look.", state: "done" },
    {
      type: "tool-look",
      state: "output-available",
      input: { at: 1 },
      output: { seen: ["a", "b"] },
    },
    { type: "step-start" },
    { type: "text", text: "Done.", state: "done" },
  ]);
  await expect(validateUIMessages({ messages: chat.messages })).resolves.toHaveLength(2);
  expect(app.outcomes).toMatchObject([{ status: "done" }]);
});

const attempts: readonly { readonly name: string; readonly first: Script[number] }[] = [
  { name: "cut at the cap", first: { ...cut, stop: "length" } },
  { name: "cut by the connection", first: { ...cut, stop: null } },
];
const retries: Partial<RunOptions> = { recovery: { maxWaitMs: 0 }, request: { maxTokens: 100 } };
test.each(attempts)(
  "a call that was $name and requested again is shown once",
  async ({ first }) => {
    const script = [first, { text: "I look.", calls: [{ name: "look", input: {} }] }, "Done."];
    for (const previews of [true, false]) {
      const withheld = previews ? "text" : undefined;
      const { chat } = await open(script, retries, { previews, withheld });
      await send(chat);
      expect(shownText(chat).replaceAll("|", "")).toBe("I look.Done.");
      expect(typesOf(chat).filter((type) => type === "tool-look")).toHaveLength(1);
      expect(parts(chat)).toContainEqual(
        expect.objectContaining({
          type: "data-withheld",
          data: expect.objectContaining({
            toolName: "look",
            replaced: true,
            inputChars: 14,
            explanation: expect.stringContaining("nothing of it ran"),
          }),
        }),
      );
      const shown = JSON.stringify(parts(chat));
      expect(shown.includes('"inputText":"{\\"path\\":\\"/secr"')).toBe(previews);
      if (!previews) expect(shown).not.toContain("/secr");
    }
  },
);

test("without `reset-step` the page would show the text of both attempts", async () => {
  const script = [{ ...cut, stop: "length" } as const, "Done."];
  const select = (chunk: { readonly type: string }): object | undefined =>
    chunk.type === "reset-step" ? undefined : chunk;
  const { chat } = await open(script, retries, { select });
  await send(chat);
  expect(shownText(chat)).toContain("Let me look.");
});

test.each(attempts)(
  "a call that was $name for good is an error, and never a call again",
  async ({ first }) => {
    const { chat, app } = await open([first, "Good bye."], {
      recovery: { requests: 1, notes: 0, maxWaitMs: 0 },
    });
    await send(chat);
    const shown = parts(chat).find((part) => "toolCallId" in part);
    expect(shown).toMatchObject({ type: "tool-look", state: "output-error" });
    expect(shown).toHaveProperty("errorText", expect.stringContaining("Held back look"));
    expect(shown).not.toHaveProperty("input.path");
    await expect(validateUIMessages({ messages: chat.messages })).resolves.toHaveLength(2);
    // Neither Fullstop nor a server with the AI SDK sends what was cut.
    const modelMessages = JSON.stringify(await convertToModelMessages([...chat.messages]));
    expect(modelMessages).not.toContain("/secr");
    expect(JSON.stringify(readUiMessages(chat.messages))).not.toContain("tool-call");
    chat.clearError();
    await send(chat, "Go on.");
    const sent = JSON.stringify(app.outcomes.at(-1)?.messages);
    expect(sent).not.toContain("/secr");
    expect(app.outcomes.at(-1)).toMatchObject({ text: "Good bye." });
  },
);

test("a page that answers finished calls by itself does not answer withheld ones", async () => {
  const { chat, app } = await open(
    [{ ...cut, stop: "length" }],
    { recovery: { requests: 1, notes: 0 } },
    {},
    { sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls },
  );
  await send(chat);
  expect(app.outcomes).toMatchObject([{ status: "truncated" }]);
  expect(parts(chat).at(-1)).toMatchObject({ type: "data-ended", data: { status: "truncated" } });
});

test("a reply that is requested again after each fault leaves only the last one", async () => {
  const bad = { text: "Half", stop: null };
  const { chat } = await open([bad, bad, "Whole."], retries);
  await send(chat);
  expect(parts(chat)).toMatchObject([{ type: "step-start" }, { type: "text", text: "Whole." }]);
});

test("a call with an id that was used before gets the id of the run, and is shown once", async () => {
  const call = (at: number): Script[number] => ({
    calls: [{ name: "look", id: "same", input: { at } }],
  });
  const { chat, app } = await open([call(1), call(2), "Done."]);
  await send(chat);
  const shown = parts(chat).filter((part) => "toolCallId" in part);
  expect(shown).toMatchObject([{ input: { at: 1 } }, { input: { at: 2 } }]);
  expect(new Set(shown.map((part) => "toolCallId" in part && part.toolCallId)).size).toBe(2);
  expect(app.outcomes).toMatchObject([{ status: "done" }]);
});

const remove = (removed: string[]): Tool =>
  tool({
    name: "remove",
    description: "Remove a file.",
    inputSchema: jsonSchema({ type: "object", properties: { path: { type: "string" } } }),
    needsApproval: true,
    execute: ({ path }) => {
      removed.push(String(path));
      return "removed";
    },
  });
const removeCalls = { calls: ["a", "b"].map((path) => ({ name: "remove", input: { path } })) };

test("the page decides on each call: one runs, and the other is denied", async () => {
  const removed: string[] = [];
  const { chat, app } = await open(
    [{ text: "Two files.", ...removeCalls }, "Done."],
    { tools: [remove(removed)] },
    {},
    { sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses },
  );
  await send(chat);
  const asked = parts(chat).filter((part) => "approval" in part);
  expect(asked).toMatchObject([
    { state: "approval-requested", input: { path: "a" } },
    { state: "approval-requested", input: { path: "b" } },
  ]);
  expect(removed).toEqual([]);
  const ids = asked.map((part) => (part as { approval: { id: string } }).approval.id);
  await chat.addToolApprovalResponse({ id: ids[0] ?? "", approved: true });
  await chat.addToolApprovalResponse({ id: ids[1] ?? "", approved: false, reason: "Keep it." });
  await expect.poll(() => app.outcomes.length, patience).toBe(2);
  await expect.poll(() => chat.status, patience).toBe("ready");
  expect(removed).toEqual(["a"]);
  expect(chat.messages).toHaveLength(2);
  expect(parts(chat)).toMatchObject([
    { type: "step-start" },
    { type: "text", text: "Two files." },
    { state: "output-available", output: "removed" },
    { state: "output-denied" },
    { type: "step-start" },
    { type: "text", text: "Done." },
  ]);
  expect(JSON.stringify(app.outcomes.at(-1)?.messages)).toContain("Keep it.");
  // The next request has both results.
  expect(readUiMessages(chat.messages)).toMatchObject([
    { role: "user" },
    { role: "assistant", content: [{ type: "text" }, { name: "remove" }, { name: "remove" }] },
    { role: "tool", content: [{ content: "removed" }, { content: "Keep it.", isError: true }] },
    { role: "assistant", content: [{ text: "Done." }] },
  ]);
});

test("an input that the page changed is not allowed", async () => {
  const removed: string[] = [];
  const script = [removeCalls, "Done."];
  const { chat, app } = await open(script, { tools: [remove(removed)] });
  await send(chat);
  for (const part of chat.lastMessage?.parts ?? [])
    if ("approval" in part && part.approval !== undefined) {
      if (part.toolCallId.endsWith("0")) part.input = { path: "/" };
      await chat.addToolApprovalResponse({ id: part.approval.id, approved: true });
    }
  await chat.sendMessage();
  expect(removed).not.toContain("/");
  expect(removed).toEqual(["b"]);
  expect(app.outcomes.at(-1)).toMatchObject({ status: "done" });
});

test("a tool without `execute` runs in the page", async () => {
  const { execute: _, ...inPage } = { ...look, name: "ask" };
  const script = [{ calls: [{ name: "ask", input: {} }] }, "Thanks."];
  const { chat, app } = await open(
    script,
    { tools: [inPage] },
    {},
    {
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
    },
  );
  await send(chat);
  const [call] = chat.lastMessage?.parts.filter((part) => part.type === "tool-ask") ?? [];
  expect(call).toMatchObject({ state: "input-available" });
  const toolCallId = (call as { toolCallId: string }).toolCallId;
  await chat.addToolOutput({ tool: "ask", toolCallId, output: { likes: "tea" } });
  await expect.poll(() => app.outcomes.length, patience).toBe(2);
  await expect.poll(() => chat.status, patience).toBe("ready");
  expect(shownText(chat)).toContain("Thanks.");
  expect(JSON.stringify(app.outcomes.at(-1)?.messages)).toContain("likes");
  expect(app.outcomes).toHaveLength(2);
});

test("a new message after an unanswered question leaves the call out", async () => {
  const { chat, app } = await open([removeCalls, "As you like."], { tools: [remove([])] });
  await send(chat);
  await send(chat, "Never mind.");
  expect(app.outcomes.at(-1)).toMatchObject({ status: "done", text: "As you like." });
});

test("a failed run is an error of the chat, with the words of the provider only on request", async () => {
  const secret = "org-4711 has no credit";
  const failing = mock([
    () => {
      throw new Error(secret);
    },
  ]);
  for (const errors of ["kind", "message"] as const) {
    const app = await open([], { adapter: failing, recovery: { requests: 1 } }, { errors });
    await send(app.chat);
    expect(app.chat.status).toBe("error");
    expect(app.chat.error?.message.includes("script")).toBe(errors === "message");
  }
});

test("a run that throws is an error without details, and the server gets the error", async () => {
  const seen: unknown[] = [];
  const onError = (thrown: unknown): undefined => void seen.push(thrown);
  const beforeTurn = (): never => {
    throw new Error("a secret of the server");
  };
  const { chat } = await open(["Hi."], { beforeTurn }, { onError });
  await send(chat);
  expect(chat.error?.message).toBe("The server failed, and the answer is not complete.");
  expect(seen).toMatchObject([{ message: "a secret of the server" }]);
});

test("a call that the model wrote as text leaves the page, and a part says what happened", async () => {
  const markup = '<tool_call>{"name":"look","arguments":{}}</tool_call>';
  const { chat } = await open([`I look.\n${markup}`, "Done."]);
  await send(chat);
  expect(shownText(chat).replaceAll("|", "")).toBe("I look.Done.");
  expect(parts(chat)).toContainEqual({
    type: "data-leaked",
    id: expect.any(String),
    data: {
      toolName: "look",
      explanation: "The model wrote a call of look as text, so the call did not run.",
    },
  });
  expect(JSON.stringify(readUiMessages(chat.messages))).not.toContain("tool_call");
});

test("a call that the model wrote as text stays if the run takes it as an answer", async () => {
  const markup = '<tool_call>{"name":"look","arguments":{}}</tool_call>';
  const { chat } = await open([markup], { recovery: { leakedCalls: false } });
  await send(chat);
  expect(shownText(chat)).toContain(markup);
  expect(typesOf(chat)).not.toContain("data-leaked");
});
