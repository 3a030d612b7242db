import { runs } from "@tooling/test/property";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseJson, parsePlainJson, stringifyJson } from "../src/adapter/index.ts";

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

/** In V8 13 to 15 `JSON.parse` names the key of the second text as that of the first. */
const confusedKeys = [
  ['{"k":[],"\\\\":0}', '{"k":1,"\\"":2}'],
  ['{"\\\\":1}', '{"\\u0041":1}'],
  ['{"path":1,"C:\\\\\\\\":1}', '{"path":1 , "C:\\\\x" : {"b":[1]}}'],
  ['{"a":{"b\\\\":1}}', '[{"a":{"b\\n":[{"c":"\\""}]}}]'],
] as const;
test.each(confusedKeys)("after %s the keys of %s are its own", (first, text) => {
  const earlier = [JSON.parse(first), parsePlainJson(first), parseJson(first)];
  expect(earlier.map((value) => JSON.stringify(value))).toEqual([first, first, first]);
  const written = text.replaceAll(" ", "").replace("\\u0041", "A");
  expect(JSON.stringify(parsePlainJson(text))).toBe(written);
  expect(stringifyJson(parseJson(text))).toBe(written);
});

test("keys with escapes keep their order, their duplicates and their values", () => {
  const parsed = parsePlainJson<object>(
    '{"b":1,"\\\\":2,"k0":3,"\\u0062":4,"__proto__":5,"1":"k1"}',
  );
  expect(Object.entries(parsed)).toEqual([
    ["1", "k1"],
    ["b", 4],
    ["\\", 2],
    ["k0", 3],
    ["__proto__", 5],
  ]);
});

test("any object is the same after it was written and parsed, at any depth", () => {
  const keys = fc.string({ unit: fc.constantFrom("\\", '"', "\n", "a", "1"), maxLength: 3 });
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(1, "\\", 'k":'),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(keys, tie("value"), { maxKeys: 3 }),
    ),
  }));
  fc.assert(
    fc.property(
      value.map((one) => JSON.stringify(one)),
      (text) => {
        expect(JSON.stringify(parsePlainJson(text))).toBe(text);
      },
    ),
    { numRuns: runs(2000) },
  );
  const deep = `${'{"\\\\":'.repeat(100_000)}1${"}".repeat(100_000)}`;
  expect(stringifyJson(parsePlainJson(deep))).toBe(deep);
});
