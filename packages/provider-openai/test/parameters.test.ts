import { type Received, serve } from "@fullstop/conformance/server";
import { type Adapter, readTurn } from "@fullstop/core";
import { openai, openaiChat } from "@fullstop/provider-openai";
import { expect, onTestFinished, test } from "vitest";
import { chat, responses } from "./every-parameter.ts";

async function sent(create: (baseURL: string) => Adapter): Promise<Received | undefined> {
  const server = await serve(() => ({ status: 400, chunks: [] }));
  onTestFinished(() => server.close());
  await readTurn(create(`${server.url}/v1`), {
    messages: [{ role: "user", content: "Go." }],
    tools: [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }],
  });
  return server.requests[0];
}
const endpoint = (baseURL: string) => ({ baseURL, apiKey: "key" });

test("every parameter of the README arrives, over a socket: Responses", async () => {
  const request = await sent((url) => openai("gpt-5.5", { ...responses, ...endpoint(url) }));
  expect(JSON.parse(String(request?.body))).toMatchObject({ ...responses.params });
  expect(request?.headers).toMatchObject({ ...responses.headers });
});

test("every parameter of the README arrives, over a socket: Chat Completions", async () => {
  const request = await sent((url) => openaiChat("gpt-5.5", { ...chat, ...endpoint(url) }));
  expect(JSON.parse(String(request?.body))).toMatchObject({ ...chat.params });
  expect(request?.headers).toMatchObject({ ...chat.headers });
});
