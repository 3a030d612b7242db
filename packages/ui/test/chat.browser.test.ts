import { jsonSchema, type RunOptions, type Tool, tool } from "@fullstop/loop";
import { anthropic } from "@fullstop/provider-anthropic";
import { type Page, startBrowser } from "@tooling/test/browser";
import type { UIMessage } from "ai";
import { expect, onTestFinished, test } from "vitest";
import { type ChatApp, chatApp } from "./chat-app.ts";
import { gate } from "./gate.ts";
import { type ModelReply, type ModelServer, modelServer } from "./model-server.ts";
import { bundlePage } from "./page/bundle.ts";
import { listen } from "./server.ts";

const browser = await startBrowser();
const script = await bundlePage();
const html = `<!doctype html><title>Chat</title><div id="root"></div><script type="module" src="/page.js"></script>`;

const written: string[] = [];
const write: Tool = tool({
  name: "write",
  description: "Write a file.",
  inputSchema: jsonSchema({
    type: "object",
    properties: { path: { type: "string" } },
    required: ["path"],
  }),
  execute: ({ path }) => {
    written.push(String(path));
    return { wrote: path };
  },
});
const text = (words: string): ModelReply => ({
  blocks: [{ text: words }],
  stop: "end_turn",
  output: 20,
});
const call = (path: string): ModelReply => ({
  blocks: [{ text: "I write." }, { name: "write", id: `toolu_${path}`, input: { path } }],
  stop: "tool_use",
  output: 30,
});

interface Opened {
  readonly page: Page;
  readonly app: ChatApp;
  readonly model: ModelServer;
}

/** The page in the browser, with a server of its own and a model that gives these replies. */
async function open(
  replies: readonly ModelReply[],
  options: Partial<RunOptions> = {},
  { resumable = false } = {},
): Promise<Opened> {
  written.length = 0;
  const model = await modelServer(replies);
  const adapter = anthropic("claude-haiku-4-5", { baseURL: model.url, apiKey: "not-a-key" });
  const app = chatApp({ adapter, tools: [write], ...options }, { resumable });
  const url = await listen((request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/page.js")
      return new Response(script, { headers: { "content-type": "text/javascript" } });
    if (pathname === "/stored") return Response.json({ id: "chat", messages: app.lastMessages() });
    if (pathname === "/")
      return new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } });
    return app.handler(request);
  });
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  await page.goto(resumable ? `${url}/?resume` : url);
  return { page, app, model };
}
const send = (page: Page): Promise<void> => page.getByText("Send").click();
const ready = (page: Page): Promise<unknown> =>
  page.locator("#status", { hasText: /^ready$/ }).waitFor();
const messagesOf = async (page: Page): Promise<readonly UIMessage[]> =>
  JSON.parse((await page.locator("#messages").textContent()) ?? "[]");
const texts = (page: Page): Promise<readonly string[]> =>
  page.locator(".assistant .text").allTextContents();

test("a text appears while it arrives", async () => {
  const rest = gate();
  const words = "One two three four five six seven eight nine ten.";
  const { page } = await open([
    { ...text(words), pauseAt: { text: words.slice(0, 3), until: rest.passed } },
  ]);
  await send(page);
  await page.locator(".assistant .text").waitFor();
  const early = (await texts(page)).join("");
  expect(words.startsWith(early)).toBe(true);
  expect(early.length).toBeLessThan(words.length);
  await expect.poll(() => page.locator("#status").textContent()).toBe("streaming");
  rest.open();
  await ready(page);
  await expect.poll(() => texts(page)).toEqual([words]);
});

test("a tool runs, and the page shows its input and its output", async () => {
  const { page } = await open([call("a"), text("Written.")]);
  await send(page);
  await ready(page);
  expect(written).toEqual(["a"]);
  const shown = page.locator(".tool");
  await expect.poll(() => shown.getAttribute("data-state")).toBe("output-available");
  await expect
    .poll(() => shown.textContent())
    .toBe('{"type":"tool-write","input":{"path":"a"},"output":{"wrote":"a"}}');
  await expect.poll(() => texts(page)).toEqual(["I write.", "Written."]);
});

const faults: readonly { readonly name: string; readonly reply: ModelReply }[] = [
  { name: "cut at the output limit", reply: { ...call("b"), stop: "max_tokens", output: 64_000 } },
  { name: "lost with the connection", reply: { ...call("b"), breakAt: '"partial_json":"{' } },
];
test.each(faults)(
  "a call that was $name is shown as withheld, and not as a call",
  async ({ reply }) => {
    const { page } = await open([reply], { recovery: { requests: 1, notes: 0 } });
    await send(page);
    const shown = page.locator('.tool[data-state="output-error"]');
    await shown.waitFor();
    await page.locator("#status", { hasText: /^(ready|error)$/ }).waitFor();
    await expect.poll(() => shown.textContent()).toContain("Held back write; nothing of it ran.");
    await expect.poll(() => page.locator(".tool").count()).toBe(1);
    expect(written).toEqual([]);
    const parts = (await messagesOf(page)).at(-1)?.parts ?? [];
    expect(parts.find(({ type }) => type === "data-withheld")).toMatchObject({
      data: { toolName: "write", replaced: false },
    });
  },
);

test.each(faults)(
  "after a call that was $name the page shows only the attempt that ran",
  async ({ reply }) => {
    const { page, model } = await open([reply, call("c"), text("Written.")], {
      recovery: { maxWaitMs: 0 },
      request: { maxTokens: 1_000 },
    });
    await send(page);
    await ready(page);
    expect(model.requestCount()).toBe(3);
    expect(written).toEqual(["c"]);
    await expect.poll(() => texts(page)).toEqual(["I write.", "Written."]);
    await expect.poll(() => page.locator(".tool").count()).toBe(1);
  },
);

test("a page that is loaded again in the middle shows the whole answer, once", async () => {
  const rest = gate();
  const words = "One two three four five six seven eight nine ten.";
  const { page, app } = await open(
    [call("d"), { ...text(words), pauseAt: { text: words.slice(0, 3), until: rest.passed } }],
    {},
    { resumable: true },
  );
  await send(page);
  await page.locator(".assistant .text").nth(1).waitFor();
  await page.reload();
  await page.locator(".assistant .text").nth(1).waitFor();
  await expect.poll(() => page.locator("#status").textContent()).toBe("streaming");
  rest.open();
  await ready(page);
  await expect.poll(() => texts(page)).toEqual(["I write.", words]);
  expect((await messagesOf(page)).map(({ role }) => role)).toEqual(["user", "assistant"]);
  expect(written).toEqual(["d"]);
  expect(app.outcomes).toMatchObject([{ status: "done" }]);
});

test("the stop button aborts the run and its request to the model", async () => {
  const never = gate();
  const words = "One two three four five six seven eight nine ten.";
  const { page, app, model } = await open([
    { ...text(words), pauseAt: { text: words.slice(0, 3), until: never.passed } },
  ]);
  onTestFinished(never.open);
  await send(page);
  await page.locator(".assistant .text").waitFor();
  await page.getByText("Stop").click();
  await model.abandoned;
  await ready(page);
  await expect.poll(() => app.outcomes).toMatchObject([{ status: "aborted" }]);
});

test("a person allows a call in the page, and it runs", async () => {
  const { page, app } = await open([call("e"), text("Written.")], {
    tools: [{ ...write, needsApproval: true }],
  });
  await send(page);
  await page.getByText("Allow").waitFor();
  expect(written).toEqual([]);
  await page.getByText("Allow").click();
  await page.locator(".assistant .text", { hasText: "Written." }).waitFor();
  await ready(page);
  expect(written).toEqual(["e"]);
  await expect
    .poll(() => page.locator(".tool").getAttribute("data-state"))
    .toBe("output-available");
  expect(app.outcomes.map(({ status }) => status)).toEqual(["waiting", "done"]);
});
