import { Chat } from "@ai-sdk/react";
import { mock } from "@fullstop/provider-mock";
import { createRunStreams, resumeUi } from "@fullstop/ui";
import {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
} from "ai";
import { expect, test } from "vitest";
import { chatApp } from "./chat-app.ts";
import { gatedTool, patience } from "./gate.ts";
import { listen } from "./server.ts";

const chatOf = (
  url: string,
  init: Partial<ConstructorParameters<typeof Chat<UIMessage>>[0]> = {},
): Chat<UIMessage> =>
  new Chat<UIMessage>({
    id: "one",
    transport: new DefaultChatTransport({ api: `${url}/api/chat` }),
    ...init,
  });
const kinds = ({ lastMessage }: Chat<UIMessage>): unknown =>
  lastMessage?.parts.map(({ type, ...part }) => ("state" in part ? `${type} ${part.state}` : type));

test("a page that is loaded again shows the whole answer, once", async () => {
  const waiting = gatedTool();
  const script = [{ text: "I wait.", calls: [{ name: "wait", input: {} }] }, "Done."];
  const app = chatApp({ adapter: mock(script), tools: [waiting.tool] }, { resumable: true });
  const url = await listen(app.handler);
  const first = chatOf(url);
  const sent = first.sendMessage({ text: "Wait." });
  await waiting.started;
  await first.stop(); // what the end of a page does to its request
  await sent;
  const second = chatOf(url, { messages: first.messages.slice(0, 1) });
  const resumed = second.resumeStream();
  waiting.open();
  await resumed;
  const whole = [
    "step-start",
    "text done",
    "tool-wait output-available",
    "step-start",
    "text done",
  ];
  expect(second.messages).toHaveLength(2);
  expect(kinds(second)).toEqual(whole);
  expect(app.outcomes).toMatchObject([{ status: "done" }]);
  // The page that was away when the run ended comes back too, and replaces what it had.
  await first.resumeStream();
  expect(kinds(first)).toEqual(whole);
  expect(first.messages.map(({ id }) => id)).toContain(second.lastMessage?.id);
});

test("there is nothing to resume: 204, and the chat stays as it is", async () => {
  const streams = createRunStreams();
  const response = await resumeUi(streams, "none", new Request("http://ui.invalid/"));
  expect(response.status).toBe(204);
  const url = await listen(chatApp({ adapter: mock([]) }, { resumable: true }).handler);
  const chat = chatOf(url);
  await chat.resumeStream();
  expect([chat.status, chat.messages.length]).toEqual(["ready", 0]);
});

/** A tool that needs an approval, and then waits until the test opens it. */
function approvedTool(): ReturnType<typeof gatedTool> {
  const gated = gatedTool("remove");
  return { ...gated, tool: { ...gated.tool, needsApproval: true } };
}

test("a page that is loaded again after an approval shows the message from its beginning", async () => {
  const removing = approvedTool();
  const script = [{ text: "May I?", calls: [{ name: "remove", input: { path: "a" } }] }, "Done."];
  const app = chatApp({ adapter: mock(script), tools: [removing.tool] }, { resumable: true });
  const url = await listen(app.handler);
  const first = chatOf(url, {
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  await first.sendMessage({ text: "Remove a." });
  const asked = first.lastMessage?.parts.find((part) => part.type === "tool-remove");
  const { approval } = asked as { approval: { id: string } };
  const stored = structuredClone(first.messages);
  const answered = first.addToolApprovalResponse({ id: approval.id, approved: true });
  await removing.started;
  await first.stop();
  await answered;
  // The server has stored the message as it was before the answer, or not at all.
  for (const messages of [stored, stored.slice(0, 1)]) {
    const second = chatOf(url, { messages: structuredClone(messages) });
    const resumed = second.resumeStream();
    removing.open();
    await resumed;
    expect(second.error).toBeUndefined();
    expect(second.messages).toHaveLength(2);
    expect(kinds(second)).toEqual([
      "step-start",
      "text done",
      "tool-remove output-available",
      "step-start",
      "text done",
    ]);
    expect(second.lastMessage?.parts[2]).toMatchObject({
      input: { path: "a" },
      output: "waited",
      approval: { approved: true },
    });
  }
});

test("two pages allow the same call: it runs once, and the second page learns why", async () => {
  for (const resumable of [false, true]) {
    const removing = approvedTool();
    let runs = 0;
    const execute: typeof removing.tool.execute = async (input, context) => {
      runs += 1;
      return removing.tool.execute?.(input, context);
    };
    const script = [{ calls: [{ name: "remove", input: { path: "a" } }] }, "Done.", "Again."];
    const tools = [{ ...removing.tool, execute }];
    const app = chatApp({ adapter: mock(script), tools }, { resumable });
    const url = await listen(app.handler);
    const automatic = {
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    };
    const first = chatOf(url, automatic);
    await first.sendMessage({ text: "Remove a." });
    const second = chatOf(url, { ...automatic, messages: structuredClone(first.messages) });
    const asked = first.lastMessage?.parts.find((part) => part.type === "tool-remove");
    const { approval } = asked as { approval: { id: string } };
    const allow = { id: approval.id, approved: true };
    const answered = first.addToolApprovalResponse(allow);
    await removing.started;
    await second.addToolApprovalResponse(allow);
    await expect.poll(() => String(second.error), patience).toContain("was answered already");
    removing.open();
    await answered;
    await expect
      .poll(() => app.outcomes.map(({ status }) => status), patience)
      .toEqual(["waiting", "done"]);
    expect(runs).toBe(1);
    // The second page comes back, and shows what the first one shows.
    if (resumable) await second.resumeStream();
    if (resumable) expect(kinds(second)).toEqual(kinds(first));
  }
});

test("`stop` of the chat aborts the run at once, unless pages can come back", async () => {
  for (const resumable of [false, true]) {
    const waiting = gatedTool();
    const script = [{ text: "I wait.", calls: [{ name: "wait", input: {} }] }, "Done."];
    const app = chatApp({ adapter: mock(script), tools: [waiting.tool] }, { resumable });
    const url = await listen(app.handler);
    const chat = chatOf(url);
    const sent = chat.sendMessage({ text: "Wait." });
    await waiting.started;
    await chat.stop();
    await sent;
    if (resumable) {
      expect(app.outcomes).toEqual([]);
      const stopped = await fetch(`${url}/api/chat/one/stream`, { method: "DELETE" });
      expect(await stopped.json()).toEqual({ stopped: true });
    }
    await waiting.aborted;
    await expect.poll(() => app.outcomes, patience).toMatchObject([{ status: "aborted" }]);
  }
});
