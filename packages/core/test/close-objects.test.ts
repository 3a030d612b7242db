import { closeObjects } from "@fullstop/core/adapter";
import { describe, expect, test } from "vitest";

const text = { type: "string" };
const object = (properties: object, more: object = {}): Readonly<Record<string, unknown>> => ({
  type: "object",
  properties,
  ...more,
});
const closed = (properties: object, more: object = {}) =>
  object(properties, { ...more, additionalProperties: false });

describe("an object that names its properties is closed", () => {
  test.for([
    ["at the top", object({ a: text }), closed({ a: text })],
    ["without properties", object({}), closed({})],
    ["in a property", object({ a: object({ b: text }) }), closed({ a: closed({ b: text }) })],
    [
      "in a list",
      object({ a: { type: "array", items: object({ b: text }) } }),
      closed({ a: { type: "array", items: closed({ b: text }) } }),
    ],
    [
      "in one of several",
      object({ a: { anyOf: [object({ b: text }), { type: "null" }] } }),
      closed({ a: { anyOf: [closed({ b: text }), { type: "null" }] } }),
    ],
    [
      "in a definition",
      object({ a: { $ref: "#/$defs/one" } }, { $defs: { one: object({ b: text }) } }),
      closed({ a: { $ref: "#/$defs/one" } }, { $defs: { one: closed({ b: text }) } }),
    ],
    [
      "that may be null",
      object({ a: { type: ["object", "null"], properties: { b: text } } }),
      closed({
        a: { type: ["object", "null"], properties: { b: text }, additionalProperties: false },
      }),
    ],
    [
      "that is closed already, with what it demands beside",
      closed({ a: text }, { minProperties: 1 }),
      closed({ a: text }, { minProperties: 1 }),
    ],
  ] as const)("%s", ([, schema, expected]) => {
    const before = structuredClone(schema);
    expect(closeObjects(schema)).toEqual(expected);
    expect(schema).toEqual(before);
  });

  test("values that look like schemas stay as they are", () => {
    const value = { type: "object", properties: {} };
    const schema = object({ a: { const: value }, properties: { enum: [value], default: value } });
    expect(closeObjects(schema)).toEqual({ ...schema, additionalProperties: false });
  });
});

describe("an object that takes other properties cannot be closed", () => {
  test.for([
    ["any object", { type: "object" }],
    ["any further property", object({ a: text }, { additionalProperties: true })],
    ["further properties of a type", object({}, { additionalProperties: text })],
    ["properties by a pattern", object({}, { patternProperties: { "^x": text } })],
    ["properties of a branch", object({ a: text }, { anyOf: [object({ b: text })] })],
    ["properties of a definition", object({ a: text }, { $ref: "#/$defs/b", $defs: {} })],
    ["two parts", { allOf: [object({ a: text }), object({ b: text })] }],
    ["an inner object", object({ a: { type: "array", items: { type: "object" } } })],
    ["an inner schema that is not an object", object({ a: true })],
    ["a condition", object({ a: text }, { if: {} })],
  ] as const)("%s", ([, schema]) => {
    expect(closeObjects(schema)).toBeUndefined();
  });
});
