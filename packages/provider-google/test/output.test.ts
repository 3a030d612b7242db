import { readTurn, type TurnRequest } from "@fullstop/core";
import { type GoogleOptions, google } from "@fullstop/provider-google";
import { readSent } from "@fullstop/provider-google/reply";
import { GoogleGenAI } from "@google/genai";
import type { SentRequest } from "@tooling/test/fake-server";
import { describe, expect, test } from "vitest";
import { reply, text } from "./chunks.ts";
import { serve } from "./server.ts";

const schema = { type: "object", properties: { city: { type: "string", maxLength: 9 } } };
const output = { schema };
const format = { responseMimeType: "application/json", responseJsonSchema: schema };
const read = { name: "read", description: "Reads.", inputSchema: { type: "object" } };

async function sent(
  request: Partial<TurnRequest>,
  options?: GoogleOptions,
  model?: string,
): Promise<SentRequest["body"]["generationConfig"]> {
  const { requests, adapter } = serve(reply("STOP", text("{}")));
  await readTurn(adapter(options, model), {
    messages: [{ role: "user", content: "Go." }],
    ...request,
  });
  return requests[0]?.body.generationConfig;
}

describe("an object is requested by responseJsonSchema", () => {
  test("with and without tools since Gemini 3, and the schema is unchanged", async () => {
    expect(await sent({ output })).toMatchObject(format);
    expect(await sent({ output, tools: [read] })).toMatchObject(format);
    expect(await sent({})).toEqual({ maxOutputTokens: 32_000 });
  });
  test("only without tools before", async () => {
    expect(await sent({ output }, {}, "gemini-2.5-pro")).toMatchObject(format);
    expect(await sent({ output, tools: [read] }, {}, "gemini-2.5-pro")).not.toHaveProperty(
      "responseMimeType",
    );
  });
  test("by the request before the parameters", async () => {
    const params = { responseMimeType: "text/x.enum", responseSchema: { enum: ["a"] } };
    const body = await sent({ output }, { params });
    expect(body).toMatchObject(format);
    expect(body).not.toHaveProperty("responseSchema");
    expect(await sent({}, { params })).toMatchObject(params);
  });
  test("over Vertex AI as well", async () => {
    const server = serve(reply("STOP", text("{}")));
    const client = new GoogleGenAI({
      vertexai: true,
      apiKey: "key",
      httpOptions: { fetch: server.fetch },
    });
    await readTurn(google("gemini-3.1-pro", { client }), {
      messages: [{ role: "user", content: "Go." }],
      output,
    });
    expect(server.requests[0]?.body.generationConfig).toMatchObject(format);
  });
});

test.for([
  ["gemini-3.1-pro", "always"],
  ["gemini-flash-latest", "always"],
  ["gemini-3-pro-image", undefined],
  ["gemini-2.5-flash-lite", "without-tools"],
  ["gemini-2.5-flash-image", undefined],
  ["gemini-2.0-flash", undefined],
  ["gemma-3-27b-it", undefined],
] as const)("%s: %s", ([model, expected]) => {
  expect(google(model).outputFormat).toBe(expected);
});

test("the option says when a model takes the format", async () => {
  expect(await sent({ output }, { outputFormat: "never" })).not.toHaveProperty("responseMimeType");
  expect(await sent({ output }, { outputFormat: "always" }, "gemma-3-27b-it")).toMatchObject(
    format,
  );
});

test("a request body says that an object was asked for", () => {
  expect(readSent({ generationConfig: format })).toEqual({ output });
  const openApi = { type: "OBJECT", properties: {} };
  expect(
    readSent({
      generation_config: { response_mime_type: "application/json", response_schema: openApi },
    }),
  ).toEqual({ output: { schema: openApi } });
  expect(readSent({ config: format })).toEqual({ output });
  const list = { responseMimeType: "application/json", responseJsonSchema: { type: "array" } };
  for (const config of [
    list,
    { responseMimeType: "application/json" },
    { responseSchema: openApi },
  ])
    expect(readSent({ generationConfig: config })).toEqual({});
});
