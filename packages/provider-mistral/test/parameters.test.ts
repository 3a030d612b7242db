import { serve } from "@fullstop/conformance/server";
import { readTurn } from "@fullstop/core";
import { mistral } from "@fullstop/provider-mistral";
import { expect, onTestFinished, test } from "vitest";
import { options } from "./every-parameter.ts";
import { violations } from "./refusals.ts";

test("every parameter of the README arrives, over a socket", async () => {
  const server = await serve(() => ({ status: 400, chunks: [] }));
  onTestFinished(() => server.close());
  const adapter = mistral("magistral-medium-latest", {
    ...options,
    baseURL: `${server.url}/v1`,
    apiKey: "key",
  });
  await readTurn(adapter, {
    messages: [{ role: "user", content: "Go." }],
    tools: [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }],
  });
  const [request] = server.requests;
  const body: unknown = JSON.parse(String(request?.body));
  expect(body).toMatchObject({ ...options.params });
  expect(violations(body)).toEqual([]);
  expect(request?.headers).toMatchObject({ ...options.headers });
});
