import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import { geminiWire } from "@fullstop/conformance/wires/gemini";
import { openaiChatWire } from "@fullstop/conformance/wires/openai-chat";
import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";
import { describe, expect, test } from "vitest";
import { messagesOf } from "./messages.ts";

type Fields = Readonly<Record<string, unknown>>;
const hi = { role: "user", content: "Hi." };
const closed: Fields = {
  type: "object",
  properties: {
    city: { type: "string" },
    stops: {
      type: "array",
      items: {
        type: "object",
        properties: { name: { type: "string" } },
        required: ["name"],
        additionalProperties: false,
      },
    },
  },
  required: ["city", "stops"],
  additionalProperties: false,
};
const { additionalProperties: _, ...open } = closed;
const optional = { ...closed, required: ["city"] };
const innerOpen = {
  ...closed,
  properties: { city: {}, stops: { type: "array", items: { type: "object" } } },
};
const list = { type: "array", items: { type: "string" } };

describe("Anthropic Messages", () => {
  const found = (format: unknown) =>
    anthropicWire.violations({
      model: "claude-sonnet-5-5",
      max_tokens: 9,
      messages: [hi],
      output_config: { effort: "low", format },
    });
  test("takes a closed schema, also with optional properties", () => {
    for (const schema of [closed, optional])
      expect(found({ type: "json_schema", schema })).toEqual([]);
    expect(found(undefined)).toEqual([]);
  });
  test.for([
    [{ type: "json_object" }, "must be json_schema"],
    [{ type: "json_schema" }, "schema: field required"],
    [{ type: "json_schema", schema: open }, "explicitly set to false: $"],
    [{ type: "json_schema", schema: innerOpen }, "to false: $.properties.stops.items"],
  ] as const)("refuses %j", ([format, sentence]) => {
    expect(messagesOf(found(format))).toContain(sentence);
  });
  test("should get no constraint that its page calls unsupported", () => {
    const schema = { ...closed, properties: { city: { type: "string", maxLength: 9 }, stops: {} } };
    expect(found({ type: "json_schema", schema })).toMatchObject([
      { level: "should", message: expect.stringContaining("$.properties.city.maxLength") },
    ]);
  });
});

describe.each([
  [
    "Chat Completions",
    (type: string, format: Fields) =>
      openaiChatWire.violations({
        model: "m",
        messages: [hi],
        response_format: { type, json_schema: format },
      }),
  ],
  [
    "Responses",
    (type: string, format: Fields) =>
      openaiResponsesWire.violations({
        model: "m",
        input: "Hi.",
        text: { format: { type, ...format } },
      }),
  ],
] as const)("%s", (_name, found) => {
  test("takes any schema of an object, and a strict one that is closed and requires everything", () => {
    expect(found("json_schema", { name: "trip", schema: closed, strict: true })).toEqual([]);
    for (const schema of [open, optional, innerOpen])
      expect(found("json_schema", { name: "trip", schema, strict: false })).toEqual([]);
    expect(found("json_object", {})).toEqual([]);
    expect(found("text", {})).toEqual([]);
  });
  test.for([
    ["json", {}, "Invalid value: 'json'"],
    ["json_schema", { schema: closed }, "must match"],
    ["json_schema", { name: "a trip", schema: closed }, "must match"],
    ["json_schema", { name: "trip", schema: list }, "schema must be a JSON Schema of"],
    ["json_schema", { name: "trip", schema: open, strict: true }, "'additionalProperties'"],
    ["json_schema", { name: "trip", schema: innerOpen, strict: true }, "stops.items"],
    ["json_schema", { name: "trip", schema: optional, strict: true }, "Missing $.stops"],
  ] as const)("refuses %s with %j", ([type, format, sentence]) => {
    expect(messagesOf(found(type, format))).toContain(sentence);
  });
});

describe("generateContent", () => {
  const found = (generationConfig: Fields, more: Fields = {}, model = "gemini-3.1-pro") =>
    geminiWire.violations(
      { contents: [{ role: "user", parts: [{ text: "Hi." }] }], generationConfig, ...more },
      { path: `/v1beta/models/${model}:streamGenerateContent` },
    );
  const json = { responseMimeType: "application/json", responseJsonSchema: open };
  const tools = { tools: [{ functionDeclarations: [{ name: "read" }] }] };
  test("takes a schema with its MIME type, beside functions since Gemini 3", () => {
    expect(found(json)).toEqual([]);
    expect(found({ response_mime_type: "application/json", response_json_schema: open })).toEqual(
      [],
    );
    expect(found(json, {}, "gemini-2.5-flash")).toEqual([]);
    expect(found(json, tools)).toEqual([]);
    expect(messagesOf(found(json, tools, "gemini-2.5-flash"))).toContain("is unsupported");
  });
  test("refuses a schema without its MIME type, and two schemas", () => {
    expect(messagesOf(found({ responseJsonSchema: open }))).toContain("response_mime_type");
    expect(messagesOf(found({ ...json, responseSchema: {} }))).toContain("only one of");
  });
});
