import { jsonSchema, run, tool } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { mcpTools } from "../src/index.ts";
import { callOnce, runTools } from "./run-tools.ts";
import { rawServer } from "./servers.ts";

const object = { type: "object" as const };
type Schema = typeof object & Readonly<Record<string, unknown>>;

/** What the model gets if it calls a tool with this schema with this input, and whether it ran. */
async function call(inputSchema: Schema, input: object): Promise<{ ran: boolean; said: string }> {
  let ran = false;
  const transport = rawServer([{ name: "do", inputSchema }], () => {
    ran = true;
    return { content: [] };
  });
  const mcp = await mcpTools([{ name: "any", transport }]);
  const { results } = await runTools(mcp, callOnce("any__do", input));
  await mcp.close();
  return { ran, said: String(results[0]?.result.content) };
}
/** What the model gets if a tool with this output schema returns this. */
async function output(outputSchema: Schema, structuredContent: object): Promise<object> {
  const transport = rawServer([{ name: "do", inputSchema: object, outputSchema }], () => ({
    content: [],
    structuredContent,
  }));
  const mcp = await mcpTools([{ name: "any", transport }]);
  const { results } = await runTools(mcp, callOnce("any__do"));
  await mcp.close();
  const { isError = false } = results[0]?.result ?? { isError: true };
  return { isError };
}

const letters = `${"a".repeat(22)}!`;
/** Definitions of which each uses the next one twice: 2 to the power of 24 schemas. */
const doubling = Object.fromEntries(
  Array.from({ length: 24 }, (_, index) => [
    `s${index}`,
    index === 23
      ? { pattern: "^b" }
      : { allOf: [{ $ref: `#/$defs/s${index + 1}` }, { $ref: `#/$defs/s${index + 1}` }] },
  ]),
);
const wide = Array.from({ length: 2000 }, () => ({ items: { type: "number" } }));
/** Schemas whose work has no bound that is fit for use, and a value that would show it. */
const hostile: Readonly<Record<string, readonly [schema: Schema, value: object]>> = {
  "a pattern": [{ ...object, properties: { p: { pattern: "^(a+)+$" } } }, { p: letters }],
  "a pattern of names": [
    { ...object, patternProperties: { "^(a+)+$": false }, additionalProperties: false },
    { [letters]: 1 },
  ],
  "a pattern for all names": [
    { ...object, propertyNames: { pattern: "^(a+)+$" } },
    { [letters]: 1 },
  ],
  "references that double": [
    { ...object, properties: { p: { $ref: "#/$defs/s0" } }, $defs: doubling },
    { p: "aaaa" },
  ],
  "a reference to itself": [{ ...object, allOf: [{ $ref: "#" }] }, { p: 1 }],
  "references in a circle": [
    {
      ...object,
      properties: { p: { $ref: "#/$defs/a" } },
      $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } },
    },
    { p: 1 },
  ],
  "a reference to nothing": [{ ...object, $ref: "#/nowhere" }, { p: 1 }],
  "many schemas for many items": [
    { ...object, properties: { p: { allOf: [...wide, { items: { type: "string" } }] } } },
    { p: Array.from({ length: 2000 }, () => 1) },
  ],
};

test.for(Object.entries(hostile))("%s does not hold an input up", async ([, [schema, value]]) => {
  expect(await call(schema, value)).toMatchObject({ ran: true });
});

test.for(Object.entries(hostile))("%s does not hold an output up", async ([, [schema, value]]) => {
  expect(await output(schema, value)).toEqual({ isError: false });
});

const text = { type: "string" };
const tree = {
  ...object,
  properties: { child: { $ref: "#" }, name: text },
  required: ["name"],
  additionalProperties: false,
};
/** Inputs that a schema refuses, and what the model reads. */
const refused: Readonly<Record<string, readonly [schema: Schema, input: object, said: string]>> = {
  "of another type": [
    { ...object, properties: { a: text } },
    { a: 1 },
    "a: must be of the type string",
  ],
  "of none of the types": [
    { ...object, properties: { a: { type: ["string", "null"] } } },
    { a: 1 },
    "a: must be of the type string or null",
  ],
  "without a property": [{ ...object, required: ["a"] }, { b: 1 }, 'must have the property "a"'],
  "with a property too many": [tree, { name: "x", other: 1 }, "other: is not allowed"],
  "that is wrong behind a reference": [
    tree,
    { name: "x", child: { name: "y", child: { name: 1 } } },
    "child.child.name: must be of the type string",
  ],
  "outside of an enum": [
    { ...object, properties: { a: { enum: ["x", "y"] } } },
    { a: "z" },
    "a: must be one of x, y",
  ],
  "other than a const": [
    { ...object, properties: { a: { const: 1 } } },
    { a: 2 },
    "must be one of 1",
  ],
  "of none of the shapes": [
    { ...object, properties: { a: { anyOf: [text, { type: "null" }] } } },
    { a: 1 },
    "a: has none of the shapes",
  ],
  "with a wrong item": [
    { ...object, properties: { a: { prefixItems: [text], items: { type: "number" } } } },
    { a: ["x", 1, "y"] },
    "a.2: must be of the type number",
  ],
  "below a minimum": [
    { ...object, properties: { a: { minimum: 1 } } },
    { a: 0 },
    "a: must be at least 1",
  ],
  "too long": [
    { ...object, properties: { a: { maxLength: 2 } } },
    { a: "abc" },
    "a: must have a length of at most 2",
  ],
  "with too many items": [
    { ...object, properties: { a: { maxItems: 1 } } },
    { a: [1, 2] },
    "a: must have a length of at most 1",
  ],
};
test.for(Object.entries(refused))("an input %s is not sent", async ([, [schema, input, said]]) => {
  const answer = await call(schema, input);
  expect(answer).toMatchObject({ ran: false, said: expect.stringContaining(said) });
});

test("what a schema says about patterns, formats and exclusions is left to the server", async () => {
  const schema: Schema = {
    ...object,
    properties: { a: { pattern: "^b", format: "email", not: { type: "string" } } },
    patternProperties: { "^x-": text },
    additionalProperties: false,
  };
  expect(await call(schema, { a: "a", "x-1": "1" })).toMatchObject({ ran: true });
});

test("a tool of your own keeps its patterns", async () => {
  const inputSchema = jsonSchema({ ...object, properties: { a: { pattern: "^b" } } });
  let ran = false;
  const own = tool({
    name: "own",
    description: "Own.",
    inputSchema,
    execute: () => {
      ran = true;
      return "ran";
    },
  });
  const script = [{ calls: [{ name: "own", input: { a: "a" } }] }, "Done."];
  await run({ adapter: mock(script), tools: [own], prompt: "Go." }).outcome();
  expect(ran).toBe(false);
});
