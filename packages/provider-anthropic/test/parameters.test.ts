import { serve } from "@fullstop/conformance/server";
import { readTurn } from "@fullstop/core";
import { anthropic } from "@fullstop/provider-anthropic";
import { read, user } from "@tooling/test/blocks";
import { expect, onTestFinished, test } from "vitest";
import { options } from "./every-parameter.ts";

test("every parameter of the README arrives, over a socket", async () => {
  const server = await serve(() => ({ status: 400, chunks: [] }));
  onTestFinished(() => server.close());
  const adapter = anthropic("claude-haiku-4-5", { ...options, baseURL: server.url, apiKey: "key" });
  await readTurn(adapter, { messages: [user("Go.")], tools: [read] });
  const [request] = server.requests;
  expect(JSON.parse(String(request?.body))).toMatchObject({ ...options.params });
  expect(request?.headers).toMatchObject({ ...options.headers });
});
