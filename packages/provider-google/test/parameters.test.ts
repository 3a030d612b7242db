import { type Received, serve } from "@fullstop/conformance/server";
import { type Adapter, readTurn } from "@fullstop/core";
import { google } from "@fullstop/provider-google";
import { GoogleGenAI } from "@google/genai";
import { expect, onTestFinished, test } from "vitest";
import { options, vertexParams } from "./every-parameter.ts";

async function sent(create: (baseURL: string) => Adapter): Promise<Received | undefined> {
  const server = await serve(() => ({ status: 400, chunks: [] }));
  onTestFinished(() => server.close());
  await readTurn(create(server.url), { messages: [{ role: "user", content: "Go." }] });
  return server.requests[0];
}

test("every parameter of the README arrives, over a socket", async () => {
  const request = await sent((baseURL) =>
    google("gemini-3.1-pro", { ...options, baseURL, apiKey: "key" }),
  );
  expect(JSON.parse(String(request?.body))).toMatchObject({
    generationConfig: {
      temperature: 0.2,
      topP: 0.9,
      topK: 40,
      seed: 7,
      stopSequences: ["END"],
      thinkingConfig: { thinkingLevel: "LOW", includeThoughts: true },
    },
    serviceTier: "flex",
    cachedContent: "cachedContents/abc",
  });
  expect(request?.headers).toMatchObject({ ...options.headers });
});

test("labels arrive at Vertex AI", async () => {
  const request = await sent((baseUrl) => {
    const client = new GoogleGenAI({ vertexai: true, apiKey: "key", httpOptions: { baseUrl } });
    return google("gemini-3.1-pro", { client, params: vertexParams });
  });
  expect(JSON.parse(String(request?.body))).toMatchObject({ ...vertexParams });
});
