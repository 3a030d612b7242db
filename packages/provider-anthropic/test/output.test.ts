import { createGate, type TurnRequest } from "@fullstop/core";
import { outputTool, outputToolName } from "@fullstop/core/adapter";
import { type AnthropicOptions, anthropic } from "@fullstop/provider-anthropic";
import { anthropicReply, readSent } from "@fullstop/provider-anthropic/reply";
import { read } from "@tooling/test/blocks";
import { describe, expect, test } from "vitest";
import { reply, text } from "./events.ts";
import { sent } from "./requests.ts";

const string = { type: "string" };
const object = (properties: object, more: object = {}): Readonly<Record<string, unknown>> => ({
  type: "object",
  properties,
  ...more,
});
const closed = (properties: object, more: object = {}) =>
  object(properties, { ...more, additionalProperties: false });
const schema = object({ city: string }, { required: ["city"] });
const format = {
  type: "json_schema",
  schema: closed({ city: string }, { required: ["city"] }),
};
const configOf = async (
  request: Partial<TurnRequest>,
  options?: AnthropicOptions,
  model?: string,
) => (await sent(request, options, model)).output_config;

describe("an object is requested by output_config.format", () => {
  test("with and without tools", async () => {
    expect(await configOf({ output: { schema } })).toEqual({ format });
    expect(await configOf({ output: { schema }, tools: [read] })).toEqual({ format });
    expect(await configOf({})).toBeUndefined();
  });
  test("beside an effort", async () => {
    expect(await configOf({ output: { schema }, effort: "low" })).toEqual({
      effort: "low",
      format,
    });
    expect(await configOf({ output: { schema }, effort: "high" }, {}, "claude-opus-4-5")).toEqual({
      format,
    });
  });
  test("by the request before the parameters, whose effort stays", async () => {
    const params = {
      output_config: { effort: "max", format: { type: "json_schema", schema: {} } },
    } as const;
    expect(await configOf({ output: { schema } }, { params })).toEqual({ effort: "max", format });
    expect(await configOf({}, { params })).toEqual(params.output_config);
  });
});

describe("what the API refuses in a schema", () => {
  const encoded = async (node: object) => {
    const config = await configOf({ output: { schema: object({ a: node }) } });
    return config?.format.schema.properties.a;
  };
  test.for([
    [
      "a range",
      { type: "integer", minimum: 1, maximum: 5 },
      { type: "integer", description: 'Constraints: {"minimum":1,"maximum":5}' },
    ],
    [
      "a length, after the description",
      { type: "string", maxLength: 9, description: "A word." },
      { type: "string", description: 'A word.\nConstraints: {"maxLength":9}' },
    ],
    [
      "a pattern",
      { type: "string", pattern: "^a" },
      { type: "string", description: 'Constraints: {"pattern":"^a"}' },
    ],
    [
      "a format that is not known",
      { type: "string", format: "iri" },
      { type: "string", description: 'Constraints: {"format":"iri"}' },
    ],
    [
      "many items",
      { type: "array", items: string, minItems: 2 },
      { type: "array", items: string, description: 'Constraints: {"minItems":2}' },
    ],
  ] as const)("%s becomes text", async ([, node, expected]) => {
    expect(await encoded(node)).toEqual(expected);
  });
  test.for([
    ["a known format", { type: "string", format: "date-time" }],
    ["one item", { type: "array", items: string, minItems: 1 }],
    ["values, a default and a title", { enum: ["a", null], default: "a", title: "A" }],
    ["several types", { type: ["string", "null"] }],
    ["an object of its own", closed({ b: string })],
  ] as const)("%s stays", async ([, node]) => {
    expect(await encoded(node)).toEqual(node);
  });
  test("exactly one of several becomes any of them, and the dialect is left out", async () => {
    const $schema = "https://json-schema.org/draft/2020-12/schema";
    const one = { oneOf: [object({ b: string }), { type: "null" }] };
    expect(
      (await configOf({ output: { schema: object({ a: one }, { $schema }) } }))?.format.schema,
    ).toEqual(closed({ a: { anyOf: [closed({ b: string }), { type: "null" }] } }));
  });
  test("a definition stays, and only its name stands where it is used", async () => {
    const output = {
      schema: object(
        { a: { $ref: "#/$defs/stop", description: "First." } },
        { $defs: { stop: object({ b: string }) } },
      ),
    };
    expect((await configOf({ output }))?.format.schema).toEqual(
      closed({ a: { $ref: "#/$defs/stop" } }, { $defs: { stop: closed({ b: string }) } }),
    );
  });
});

describe("a schema that the format cannot express is left to a tool", () => {
  const { formatTakes } = anthropic("claude-sonnet-5-5");
  const many = (count: number, node: object) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, node]));
  const refused: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    "further properties": object({}, { additionalProperties: string }),
    "an object without names": object({ a: { type: "object" } }),
    "any value": object({ a: {} }),
    "a tuple": object({ a: { type: "array", prefixItems: [string] } }),
    "a value that is an object": object({ a: { const: { b: 1 } } }),
    "a definition that holds itself": object(
      { a: { $ref: "#/$defs/tree" } },
      { $defs: { tree: object({ kids: { type: "array", items: { $ref: "#/$defs/tree" } } }) } },
    ),
    "definitions that hold each other": object(
      { a: { $ref: "#/$defs/b" } },
      {
        $defs: { b: object({ c: { $ref: "#/$defs/c" } }), c: object({ b: { $ref: "#/$defs/b" } }) },
      },
    ),
    "the whole in a part": object({ a: { $ref: "#" } }),
    "another document": object({ a: { $ref: "https://a.example/b" } }),
    "25 optional properties": object(many(25, string)),
    "17 properties of two types": object(many(17, { type: ["string", "null"] }), {
      required: Object.keys(many(17, {})),
    }),
  };
  test.for(Object.entries(refused))("%s", async ([, unfit]) => {
    expect(formatTakes?.(unfit)).toBe(false);
    expect(await configOf({ output: { schema: unfit } })).toBeUndefined();
  });
  test("24 optional properties and 16 of two types are taken", () => {
    expect(formatTakes?.(object(many(24, string)))).toBe(true);
    const required = Object.keys(many(16, {}));
    expect(formatTakes?.(object(many(16, { anyOf: [string] }), { required }))).toBe(true);
  });
});

test("the tool for an object is only offered to a model that refuses a forced one", async () => {
  const toolChoice = { name: outputToolName };
  const tools = [outputTool(object({}, { additionalProperties: string })), read];
  const choiceOf = async (model: string, choice: TurnRequest["toolChoice"] = toolChoice) =>
    (await sent({ tools, toolChoice: choice, effort: "low" }, {}, model)).tool_choice;
  for (const model of ["claude-opus-5-5", "claude-sonnet-5.5", "claude-fable-5-1"])
    expect(await choiceOf(model)).toEqual({ type: "auto" });
  expect(await choiceOf("claude-opus-5")).toEqual({ type: "tool", name: outputToolName });
  expect(await choiceOf("claude-opus-5-5", { name: "read" })).toEqual({
    type: "tool",
    name: "read",
  });
});

test.for([
  ["claude-sonnet-5-5", "always"],
  ["claude-opus-4-5-20251101", "always"],
  ["claude-sonnet-4.5", "always"],
  ["anthropic.claude-haiku-4-5-20251001-v1:0", "always"],
  ["claude-opus-4-1-20250805", undefined],
  ["claude-sonnet-4-20250514", undefined],
  ["claude-sonnet-4@20250514", undefined],
  ["claude-3-7-sonnet-latest", undefined],
  ["qwen3", undefined],
] as const)("%s has the format: %s", ([model, expected]) => {
  expect(anthropic(model).outputFormat).toBe(expected);
});

test("the option says when a host takes the format", async () => {
  expect(anthropic("qwen3", { outputFormat: "always" }).outputFormat).toBe("always");
  expect(anthropic("claude-sonnet-5-5", { outputFormat: "never" }).outputFormat).toBeUndefined();
  const options = { outputFormat: "without-tools" } as const;
  expect(await configOf({ output: { schema }, tools: [read] }, options)).toBeUndefined();
});

test("a request body says that an object was asked for", () => {
  expect(readSent({ max_tokens: 9, output_config: { effort: "low", format } })).toEqual({
    maxTokens: 9,
    output: { schema: format.schema },
  });
  const list = { type: "json_schema", schema: { type: "array", items: string } };
  expect(readSent({ max_tokens: 9, output_config: { format: list } })).toEqual({ maxTokens: 9 });
  const gate = createGate(anthropicReply("claude-sonnet-5-5"), {
    body: { max_tokens: 99, output_config: { format } },
  });
  for (const event of reply("end_turn", text(0, '{"city":', '"Bern"}'))) gate.push(event);
  expect(gate.end()).toMatchObject({ stopReason: "stop", output: { value: { city: "Bern" } } });
});
