import { serve } from "@fullstop/conformance/server";
import { readTurn } from "@fullstop/core";
import { copilot, type Surface } from "@fullstop/provider-copilot";
import { expect, onTestFinished, test } from "vitest";
import { options } from "./every-parameter.ts";

test.each<[Surface, string]>([
  ["chat", "gpt-4.1"],
  ["responses", "gpt-5.5"],
  ["messages", "claude-haiku-4.5"],
])("every parameter of the README arrives, over a socket: %s", async (surface, model) => {
  const server = await serve(() => ({ status: 400, chunks: [] }));
  onTestFinished(() => server.close());
  const token = async () => ({ token: "short-lived" });
  await readTurn(copilot(model, { ...options, token, baseURL: server.url }), {
    messages: [{ role: "user", content: "Go." }],
    tools: [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }],
  });
  const [request] = server.requests;
  expect(JSON.parse(String(request?.body))).toMatchObject({ ...options.params?.[surface] });
  expect(request?.headers).toMatchObject({ ...options.headers });
});
