import { type Serving, serve } from "@fullstop/conformance/server";
import { readTurn } from "@fullstop/core";
import { type OllamaEvent, type OllamaParams, ollama } from "@fullstop/provider-ollama";
import { type ChatRequest, type ChatResponse, Ollama } from "ollama";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { call, calls, last, ndjsonOf, text } from "./chunks.ts";

afterEach(() => vi.restoreAllMocks());

async function serveBody(body: string): Promise<Serving> {
  const server = await serve(() => ({
    headers: { "content-type": "application/x-ndjson" },
    chunks: [new TextEncoder().encode(body)],
  }));
  onTestFinished(() => server.close());
  return server;
}
const request = { model: "qwen3", messages: [{ role: "user", content: "Go." }] };

/** What the vendor's package reads of a stream. */
async function readWithPackage(body: string): Promise<readonly ChatResponse[]> {
  const { url: host } = await serveBody(body);
  const replies: ChatResponse[] = [];
  for await (const reply of await new Ollama({ host }).chat({ ...request, stream: true }))
    replies.push(reply);
  return replies;
}

test("the vendor's package reads the replies of these tests", async () => {
  const lines = [text("Hi."), last("stop", 12, { tool_calls: [call("read", { path: "a" })] })];
  const replies = await readWithPackage(ndjsonOf(lines));
  expect(replies).toMatchObject(lines);
});

test("the vendor's package drops a line that it cannot read, so the adapter does not use it", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const body = `${JSON.stringify(calls(call("read", {}))).slice(0, -3)}\n${ndjsonOf([last("stop")])}`;
  expect((await readWithPackage(body)).map(({ done }) => done)).toEqual([true]);
  const { url: baseURL } = await serveBody(body);
  const turn = await readTurn(ollama("qwen3", { baseURL }), {
    messages: [{ role: "user", content: "Go." }],
  });
  expect(turn).toMatchObject({ stopReason: "interrupted", error: { kind: "malformed-reply" } });
});

test("the types of the vendor's package fit", () => {
  type Sent = Pick<ChatRequest, "options" | "keep_alive" | "think" | "logprobs" | "top_logprobs">;
  const params = (sent: Sent): OllamaParams => sent;
  const event = (reply: ChatResponse): OllamaEvent => reply;
  expect([params({}), event]).toHaveLength(2);
});
