import { expect, test } from "vitest";
import { parseJson, stringifyJson } from "../src/adapter/index.ts";

test.each([
  '{"id":12345678901234567890}',
  '{"a":[-9007199254740993, 1e21]}',
  '{"a":1.5E+30}',
  '{"a":1e999}',
])("%s keeps its digits from parse to text", (text) => {
  expect(stringifyJson(parseJson(text))).toBe(text.replaceAll(" ", ""));
});

test("other JSON is parsed as usual, also with strings that look like numbers", () => {
  expect(parseJson('{"a":"id:1234567890123456789","b":[1,2.5,-3e2]}')).toEqual({
    a: "id:1234567890123456789",
    b: [1, 2.5, -300],
  });
});

test("a number that an earlier parser may have rounded is refused", () => {
  expect(() => stringifyJson({ id: 2 ** 53 })).toThrow(/rounded/);
  expect(stringifyJson({ id: 2 ** 53 - 1, half: 0.5 })).toBe('{"id":9007199254740991,"half":0.5}');
});
