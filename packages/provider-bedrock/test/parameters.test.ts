import { serve } from "@fullstop/conformance/server";
import { readTurn } from "@fullstop/core";
import { bedrock } from "@fullstop/provider-bedrock";
import { expect, onTestFinished, test } from "vitest";
import { options } from "./every-parameter.ts";
import { violations } from "./refusals.ts";
import { credentials, model } from "./subject.ts";

test("every parameter of the README arrives, over a socket", async () => {
  const server = await serve(() => ({ status: 400, chunks: [] }));
  onTestFinished(() => server.close());
  const adapter = bedrock(model, {
    ...options,
    baseURL: server.url,
    region: "eu-central-1",
    credentials,
  });
  await readTurn(adapter, {
    messages: [{ role: "user", content: "Go." }],
    maxTokens: 100,
    tools: [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }],
  });
  const [request] = server.requests;
  const body: unknown = JSON.parse(String(request?.body));
  const { inferenceConfig, ...others } = options.params ?? {};
  expect(body).toMatchObject({
    ...others,
    inferenceConfig: { ...inferenceConfig, maxTokens: 100 },
  });
  expect(violations(body)).toEqual([]);
  expect(request?.headers).toMatchObject({ ...options.headers });
  expect(request?.headers["authorization"]).toMatch(/^AWS4-HMAC-SHA256 /);
});
