import { serve } from "@fullstop/conformance/server";
import { readTurn } from "@fullstop/core";
import { ollama } from "@fullstop/provider-ollama";
import { expect, onTestFinished, test } from "vitest";
import { options } from "./every-parameter.ts";
import { violations } from "./refusals.ts";

test("every parameter of the README arrives, over a socket", async () => {
  const server = await serve(() => ({ status: 400, chunks: [] }));
  onTestFinished(() => server.close());
  await readTurn(ollama("qwen3", { ...options, baseURL: server.url }), {
    messages: [{ role: "user", content: "Go." }],
    maxTokens: 50,
  });
  const [request] = server.requests;
  const body: unknown = JSON.parse(String(request?.body));
  expect(request?.path).toBe("/api/chat");
  expect(body).toMatchObject({ ...options.params });
  expect(body).toMatchObject({ options: { num_predict: 50 } });
  expect(violations(body)).toEqual([]);
  expect(request?.headers).toMatchObject({ ...options.headers });
});
