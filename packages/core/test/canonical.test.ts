import { expect, test } from "vitest";
import { canonicalJson } from "../src/adapter/index.ts";

test.each([
  ['{"a":[1, {"b":2}]}', '{ "a" : [1.0,{"b":2e0}] }', true],
  ['{"a":1,"b":2}', '{"b":2,"a":1}', true],
  ['{"a":1e20}', '{"a":100000000000000000000}', true],
  ['{"a":1}', '{"a":"1"}', false],
  ['{"a":9007199254740993}', '{"a":9007199254740992}', false],
  ['{"a":1e400}', '{"a":null}', false],
])("%s and %s are the same JSON: %s", (one, other, same) => {
  expect(canonicalJson(one) === canonicalJson(other)).toBe(same);
});
