import fc from "fast-check";
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

/** Texts of JSON. A double holds some of the numbers, and no key is written twice. */
const jsonTexts: fc.Arbitrary<string> = fc
  .letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(
        "1",
        "-0",
        "1e21",
        "1e-7",
        "9007199254740993",
        "-123456789012345678901",
        "1e999",
      ),
      fc.constantFrom('"1e21"', '"a,12345678901234567890"', '"\\\\"', '":[1e21"', "null", "true"),
      fc.array(tie("value"), { maxLength: 4 }).map((items) => `[${items.join(",")}]`),
      fc
        .uniqueArray(fc.constantFrom("a", "__proto__", "1e21", 'q"', "\\"), { maxLength: 4 })
        .chain((keys) =>
          fc
            .tuple(
              ...keys.map((key) => tie("value").map((value) => `${JSON.stringify(key)}:${value}`)),
            )
            .map((members) => `{${members.join(",")}}`),
        ),
    ),
  }))
  .value.map((value) => `{"x":${value}}`);

test("every text is the same after it was parsed and written", () => {
  fc.assert(
    fc.property(jsonTexts, (text) => {
      expect(stringifyJson(parseJson(text))).toBe(text.replaceAll("-0", "0"));
    }),
  );
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
