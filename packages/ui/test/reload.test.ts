import { Chat } from "@ai-sdk/react";
import { jsonSchema, type Tool, tool } from "@fullstop/loop";
import { mock, type Script } from "@fullstop/provider-mock";
import { createRunStreams, memoryChatStore, readUiMessages, toUiMessages } from "@fullstop/ui";
import {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
  validateUIMessages,
} from "ai";
import { expect, test } from "vitest";
import { type ChatApp, chatApp } from "./chat-app.ts";
import { look, patience } from "./gate.ts";
import { listen } from "./server.ts";

interface Opened {
  readonly app: ChatApp;
  /** A page with what the store has of the chat, as after a reload. */
  load(): Promise<Chat<UIMessage>>;
}

async function open(script: Script, tools: readonly Tool[]): Promise<Opened> {
  const store = memoryChatStore();
  const streams = createRunStreams();
  const app = chatApp(
    { adapter: mock(script), tools, recovery: { requests: 2, maxWaitMs: 0 } },
    { store, streams },
  );
  const url = await listen(app.handler);
  const load = async (): Promise<Chat<UIMessage>> => {
    const messages: UIMessage[] = toUiMessages(await store.load("one"));
    await (messages.length > 0 && validateUIMessages({ messages }));
    return new Chat<UIMessage>({
      id: "one",
      messages,
      transport: new DefaultChatTransport({ api: `${url}/api/chat` }),
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    });
  };
  return { app, load };
}

const failing: Tool = { ...look, name: "fail", execute: () => Promise.reject(new Error("No.")) };
const script: Script = [
  {
    thinking: "Hm.",
    text: "I look.",
    calls: [look, failing].map(({ name }) => ({ name, input: { at: 1 } })),
  },
  "Seen.",
  { text: "Half", stop: "length" },
  " and half.",
];
/** What stays of the parts of a page. */
const lasting = (messages: readonly UIMessage[]): unknown =>
  messages.map(({ id, role, parts }) => ({
    id,
    role,
    parts: parts
      .filter(({ type }) => type !== "reasoning" && !type.startsWith("data-"))
      .map((part) => ({
        ...part,
        state: part.type === "text" ? "done" : "state" in part && part.state,
      })),
  }));

test("a page that is loaded again shows what it showed before", async () => {
  const { app, load } = await open(script, [look, failing]);
  const before = await load();
  const file = {
    type: "file",
    mediaType: "image/png",
    url: "data:image/png;base64,iVBORw0KGgo=",
  } as const;
  await before.sendMessage({ parts: [{ type: "text", text: "Look." }, file] });
  const after = await load();
  expect(lasting(after.messages)).toEqual(lasting(before.messages));
  // The stream that ended is still there: the page replaces the answer, and does not show it twice.
  await after.resumeStream();
  expect(after.messages.map(({ id }) => id)).toEqual(before.messages.map(({ id }) => id));
  await after.sendMessage({ text: "Say more." });
  const last = await load();
  // A note of the loop is not a message of the person.
  expect(JSON.stringify(app.outcomes[1]?.messages)).toContain('"by":"loop"');
  expect(last.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
  expect(JSON.stringify(lasting(last.messages))).toContain("and half.");
  expect(JSON.stringify(readUiMessages(last.messages.slice(0, 2)))).toContain("tool-result");
});

test("a page that is loaded again answers the calls that wait", async () => {
  const removed: unknown[] = [];
  const remove = tool({
    name: "remove",
    description: "Remove a file.",
    inputSchema: jsonSchema({ type: "object" }),
    needsApproval: true,
    execute: (input) => {
      removed.push(input);
      return "removed";
    },
  });
  const calls = [{ name: "remove", input: { path: "a" } }];
  const { app, load } = await open([{ text: "May I?", calls }, "Done."], [remove]);
  const before = await load();
  await before.sendMessage({ text: "Remove a." });
  const after = await load();
  expect(lasting(after.messages)).toEqual(lasting(before.messages));
  const asked = after.lastMessage?.parts.find((part) => "approval" in part);
  const { approval } = asked as { readonly approval: { readonly id: string } };
  await after.addToolApprovalResponse({ id: approval.id, approved: true });
  await expect.poll(() => app.outcomes.length, patience).toBe(2);
  await expect.poll(() => after.status, patience).toBe("ready");
  expect(removed).toEqual([{ path: "a" }]);
  expect(after.messages).toHaveLength(2);
  expect(lasting((await load()).messages)).toMatchObject([
    { role: "user" },
    {
      role: "assistant",
      parts: [{}, { text: "May I?" }, { output: "removed" }, {}, { text: "Done." }],
    },
  ]);
});

test("a free-form input is the text of an object, as the tool got it", () => {
  const call = {
    type: "tool-call",
    id: "1",
    name: "script",
    kind: "text",
    inputText: "a(",
  } as const;
  const result = { type: "tool-result", id: "1", name: "script", content: "ran" } as const;
  const [message] = toUiMessages({
    version: 1,
    messages: [
      { role: "assistant", content: [call] },
      { role: "tool", content: [result] },
    ],
    questions: [],
  });
  expect(message?.parts).toMatchObject([
    { type: "step-start" },
    { type: "tool-script", input: { text: "a(" }, state: "output-available", output: "ran" },
  ]);
});

test("a chat that is not stored has no messages", () => {
  expect(toUiMessages(undefined)).toEqual([]);
});
