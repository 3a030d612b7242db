import { serve } from "@fullstop/conformance/server";
import { readTurn } from "@fullstop/core";
import { openaiCompatible } from "@fullstop/provider-openai-compatible";
import { expect, onTestFinished, test } from "vitest";
import { options } from "./every-parameter.ts";

test("every parameter of the README arrives, over a socket", async () => {
  const server = await serve(() => ({ status: 400, chunks: [] }));
  onTestFinished(() => server.close());
  const adapter = openaiCompatible("custom", "qwen3", {
    ...options,
    baseURL: `${server.url}/v1`,
  });
  await readTurn(adapter, {
    messages: [{ role: "user", content: "Go." }],
    tools: [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }],
  });
  const [request] = server.requests;
  expect(JSON.parse(String(request?.body))).toMatchObject({ ...options.params });
  expect(request?.headers).toMatchObject({ ...options.headers });
});
