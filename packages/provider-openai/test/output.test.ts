import { readTurn, type TurnRequest } from "@fullstop/core";
import {
  type OpenAIChatOptions,
  type OpenAIOptions,
  openai,
  openaiChat,
} from "@fullstop/provider-openai";
import { readChatRequest, readResponsesRequest } from "@fullstop/provider-openai/reply";
import type { SentRequest } from "@tooling/test/fake-server";
import { messageEvents, reply } from "@tooling/test/openai-responses";
import { describe, expect, test } from "vitest";
import * as chat from "./chat-server.ts";
import * as responses from "./responses-server.ts";

const text = { type: "string" };
const trip = {
  type: "object",
  properties: { city: text, stops: { type: "array", items: { $ref: "#/$defs/stop" } } },
  required: ["city", "stops"],
  $defs: { stop: { type: "object", properties: { name: text }, required: ["name"] } },
};
const closedTrip = {
  ...trip,
  additionalProperties: false,
  $defs: { stop: { ...trip.$defs.stop, additionalProperties: false } },
};
const read = { name: "read", description: "Reads.", inputSchema: { type: "object" } };
const go = { messages: [{ role: "user", content: "Go." }] } as const;

async function sentToResponses(
  request: Partial<TurnRequest>,
  options?: OpenAIOptions,
  model?: string,
): Promise<SentRequest["body"]> {
  const server = responses.serve(reply(messageEvents(0, "{}")));
  await readTurn(server.adapter(options, model), { ...go, ...request });
  return server.requests[0]?.body;
}
async function sentToChat(
  request: Partial<TurnRequest>,
  options?: OpenAIChatOptions,
  model?: string,
): Promise<SentRequest["body"]> {
  const server = chat.serve([chat.textChunk("{}"), chat.finishChunk("stop"), chat.done]);
  await readTurn(server.adapter(options, model), { ...go, ...request });
  return server.requests[0]?.body;
}

describe("an object is requested", () => {
  const format = { name: "output", schema: closedTrip, strict: true };
  test("by text.format of Responses, with and without tools", async () => {
    for (const tools of [[], [read]])
      expect((await sentToResponses({ output: { schema: trip }, tools })).text).toEqual({
        format: { type: "json_schema", ...format },
      });
    expect(await sentToResponses({})).not.toHaveProperty("text");
  });
  test("by response_format of Chat Completions, with and without tools", async () => {
    for (const tools of [[], [read]])
      expect((await sentToChat({ output: { schema: trip }, tools })).response_format).toEqual({
        type: "json_schema",
        json_schema: format,
      });
    expect(await sentToChat({})).not.toHaveProperty("response_format");
  });
  test("under its name, in letters that the API accepts", async () => {
    const { format: named } = (
      await sentToResponses({ output: { name: "my trip!", schema: trip } })
    ).text;
    expect(named.name).toBe("my_trip_");
  });
  test("by the request before the parameters, whose other members stay", async () => {
    const output = { schema: trip };
    const text = { verbosity: "low", format: { type: "json_object" } } as const;
    expect((await sentToResponses({ output }, { params: { text } })).text).toEqual({
      verbosity: "low",
      format: { type: "json_schema", ...format },
    });
    expect((await sentToResponses({}, { params: { text } })).text).toEqual(text);
    const params = { response_format: { type: "json_object" } } as const;
    expect((await sentToChat({ output }, { params })).response_format.type).toBe("json_schema");
    expect((await sentToChat({}, { params })).response_format.type).toBe("json_object");
  });
});

describe("strict", () => {
  const strictOf = async (schema: object): Promise<readonly [boolean, object]> => {
    const { format } = (await sentToResponses({ output: { schema: { ...schema } } })).text;
    return [format.strict, format.schema];
  };
  const city = (node: object) => ({
    type: "object",
    properties: { city: node },
    required: ["city"],
    additionalProperties: false,
  });
  const deep = (levels: number): object => (levels === 0 ? text : city(deep(levels - 1)));
  const loose: Readonly<Record<string, object>> = {
    "a property that is not required": { ...trip, required: ["city"] },
    "an inner property that is not required": city({ type: "object", properties: { a: text } }),
    "further properties": { ...trip, additionalProperties: true },
    "an object without names": city({ type: "object" }),
    "any value": city({}),
    "a schema that is not an object": city({ type: "array", items: true }),
    "parts that all count": city({ allOf: [city(text)] }),
    "exactly one of several": city({ oneOf: [text, { type: "number" }] }),
    "unique items": city({ type: "array", items: text, uniqueItems: true }),
    "a format that is not known": city({ type: "string", format: "iri" }),
    "eleven levels": deep(11),
    "alternatives at the top": { type: "object", anyOf: [city(text)] },
  };
  test.for(Object.entries(loose))(
    "is false for %s, and the schema is unchanged",
    async ([, schema]) => {
      expect(await strictOf(schema)).toEqual([false, schema]);
    },
  );
  const strict: Readonly<Record<string, object>> = {
    "nine levels": deep(9),
    "null, several types and several schemas": city({
      anyOf: [{ type: ["number", "null"], minimum: 1 }, { enum: ["a"] }],
    }),
    "a known format": city({ type: "string", format: "date-time", description: "When." }),
  };
  test.for(Object.entries(strict))("is true for %s", async ([, schema]) => {
    expect(await strictOf(schema)).toEqual([true, schema]);
  });
});

describe("models and hosts without the format", () => {
  test.for([
    ["gpt-3.5-turbo", undefined],
    ["gpt-4-turbo", undefined],
    ["gpt-4o-2024-05-13", undefined],
    ["gpt-4o-audio-preview", undefined],
    ["gpt-4o", "always"],
    ["gpt-4.1-mini", "always"],
    ["o4-mini", "always"],
    ["gpt-5.5", "always"],
    ["gpt-6", "always"],
  ] as const)("%s: %s", ([model, format]) => {
    expect([openai(model).outputFormat, openaiChat(model).outputFormat]).toEqual([format, format]);
  });
  test("xAI takes the format, but not beside tools", () => {
    const baseURL = "https://api.x.ai/v1";
    expect(openai("grok-4.20", { baseURL }).outputFormat).toBe("without-tools");
    expect(openai("grok-4.20", { baseURL, outputFormat: "always" }).outputFormat).toBe("always");
  });
  test("a copy of an adapter may say something else", async () => {
    const server = responses.serve(reply(messageEvents(0, "{}")));
    const copy = { ...server.adapter({}, "gpt-4"), outputFormat: "always" } as const;
    await readTurn(copy, { ...go, output: { schema: trip } });
    expect(server.requests[0]?.body.text.format.type).toBe("json_schema");
  });
  test("get no format, as the option says", async () => {
    const output = { schema: trip };
    expect(await sentToResponses({ output }, { outputFormat: "never" })).not.toHaveProperty("text");
    expect(await sentToChat({ output }, {}, "gpt-4")).not.toHaveProperty("response_format");
    const withoutTools = { outputFormat: "without-tools" } as const;
    expect(await sentToChat({ output, tools: [read] }, withoutTools)).not.toHaveProperty(
      "response_format",
    );
    expect(await sentToChat({ output }, withoutTools)).toHaveProperty("response_format");
    expect(await sentToChat({ output }, { outputFormat: "always" }, "gpt-4")).toHaveProperty(
      "response_format",
    );
  });
});

describe("a request body says that an object was asked for", () => {
  const list = { type: "array", items: text };
  const anyObject = { output: { schema: { type: "object" } } };
  test("in either protocol", () => {
    const asked = { output: { name: "trip", schema: trip } };
    const format = { name: "trip", schema: trip };
    expect(readResponsesRequest({ text: { format: { type: "json_schema", ...format } } })).toEqual(
      asked,
    );
    expect(
      readChatRequest({ response_format: { type: "json_schema", json_schema: format } }),
    ).toEqual(asked);
    expect(readResponsesRequest({ text: { format: { type: "json_object" } } })).toEqual(anyObject);
    expect(readChatRequest({ response_format: { type: "json_object" } })).toEqual(anyObject);
  });
  test("and other formats do not", () => {
    for (const format of [{ type: "text" }, { type: "json_schema", name: "a", schema: list }, null])
      expect(readResponsesRequest({ text: { format } })).toEqual({});
    for (const json_schema of [undefined, { schema: list }, {}])
      expect(readChatRequest({ response_format: { type: "json_schema", json_schema } })).toEqual(
        {},
      );
  });
});
