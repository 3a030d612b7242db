import { isDeepStrictEqual } from "node:util";
import { runs } from "@tooling/test/property";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type PartialInput, parsePlainJson, salvageTurn } from "../src/adapter/index.ts";
import { input, settle, stop, unclosed, usage } from "./reply.ts";

/** Strings with all that JSON escapes, and both kinds of surrogates. */
const strings = fc.oneof(
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.string({
    unit: fc.constantFrom("\\", '"', "\n", "\u0000", "é", "😀", "\ud83d", "u", "1", "/"),
    maxLength: 8,
  }),
);
const objects = fc.dictionary(
  strings.filter((name) => name !== "__proto__"),
  fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      strings,
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(true, false, null),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(strings, tie("value"), { maxKeys: 3 }),
    ),
  })).value,
  { maxKeys: 5 },
);
const spelledOut = (value: string): string =>
  `\\u${value.charCodeAt(0).toString(16).padStart(4, "0")}`;
/** The same JSON with every character of its strings escaped. */
const escaped = (json: string): string =>
  json.replaceAll(
    /"(?:[^"\\]|\\.)*"/g,
    (literal) => `"${(JSON.parse(literal) as string).split("").map(spelledOut).join("")}"`,
  );
/** All that a text begins with, but for nothing and itself. */
const beginnings = (json: string): readonly string[] =>
  Array.from({ length: json.length - 1 }, (_, at) => json.slice(0, at + 1));
const texts = fc
  .tuple(objects, fc.constantFrom(0, 1), fc.boolean())
  .map(([value, indent, escapes]) => {
    const json = JSON.stringify(value, null, indent);
    return escapes ? escaped(json) : json;
  });

const judged = (written: string): string =>
  settle([input("write", written), usage(5), stop("tool")]).withheld[0]?.reason ?? "runs";

test("every prefix of an object's JSON is cut, not invalid", () => {
  fc.assert(
    fc.property(texts, (json) => {
      expect(beginnings(json).filter((written) => judged(written) !== "input-cut")).toEqual([]);
    }),
    { numRuns: runs(200) },
  );
});

const parses = (written: string): boolean => {
  try {
    JSON.parse(written);
    return true;
  } catch {
    return false;
  }
};
/** The brackets that would close what is open, whether the text is JSON or not. */
function closing(written: string): string {
  const outside = written.replaceAll(/"(?:[^"\\]|\\.)*("|\\?$)/gs, "");
  const open: string[] = [];
  for (const char of outside) {
    if (char === "{") open.push("}");
    if (char === "[") open.push("]");
    if (char === "}" || char === "]") open.pop();
  }
  return open.reverse().join("");
}
/** Ways to end a token, a member or an item that has begun. */
const tokens = [
  "",
  '"',
  "0",
  "rue",
  "ue",
  "e",
  "alse",
  "lse",
  "se",
  "ull",
  "ll",
  "l",
  'n"',
  '0000"',
  '000"',
  '00"',
  '0"',
];
const members = ['"":0', ":0", '":0', 'n":0', '0000":0', '000":0', '00":0', '0":0'];
/** The reference: a text is cut exactly if there is a way to go on. */
const canGoOn = (written: string): boolean =>
  [...tokens, ...members].some((ending) => parses(written + ending + closing(written)));

const alphabet = [
  '"',
  "}",
  "]",
  "{",
  "[",
  ",",
  ":",
  "0",
  "1",
  "e",
  "-",
  ".",
  "a",
  "t",
  "n",
  "u",
  "\\",
  " ",
  "true",
  "null",
  "\n",
  "+",
];
test("a text is cut exactly if there is a way to go on", () => {
  const damages = fc
    .array(fc.constantFrom(...alphabet), { maxLength: 7 })
    .map((parts) => parts.join(""));
  const starts = fc.constantFrom(
    '{"a":',
    "{",
    '{"a":[',
    '{"a":"',
    '{"a":1,',
    '{"a":{"b":',
    '{"a":-',
  );
  fc.assert(
    fc.property(starts, damages, (begun, damage) => {
      const written = begun + damage;
      fc.pre(!parses(written));
      expect([written, judged(written)]).toEqual([
        written,
        canGoOn(written) ? "input-cut" : "invalid-json",
      ]);
    }),
    { numRuns: runs(1500) },
  );
});

test("the text of an object with one character that JSON allows nowhere is invalid, however it goes on", () => {
  fc.assert(
    fc.property(
      texts,
      fc.nat(),
      fc.constantFrom("'", "x", "\u0001", "\u00a0", "\ufeff", ";"),
      (json, where, wrong) => {
        const at = 1 + (where % (json.length - 1));
        const before = json.slice(0, at);
        const inString = /"(?:[^"\\]|\\.)*\\?$/s.test(before.replaceAll(/"(?:[^"\\]|\\.)*"/gs, ""));
        const corrupted = before + (inString ? "\u0001" : wrong);
        expect([corrupted, judged(corrupted)]).toEqual([corrupted, "invalid-json"]);
        expect(judged(corrupted + json.slice(at))).toBe("invalid-json");
      },
    ),
    { numRuns: runs(500) },
  );
});

/** What a tool is shown of an input that was cut. */
function shown(written: string): PartialInput | undefined {
  let seen: PartialInput | undefined;
  salvageTurn(settle([unclosed("write", written), stop("budget")]), (_, cut) => {
    seen = cut;
    return undefined;
  });
  return seen;
}

/** Is what is shown the truth about the text that it was cut from? */
function isTrue(
  original: Readonly<Record<string, unknown>>,
  { complete: whole, incomplete: cut }: PartialInput,
): boolean {
  const sameMembers = Object.entries(whole).every(([key, value]) =>
    isDeepStrictEqual(value, original[key]),
  );
  if (!sameMembers || cut === undefined) return sameMembers;
  const meant = String(original[cut.key]);
  const halvesPair =
    /[\ud800-\udbff]$/.test(cut.text) && /^[\udc00-\udfff]/.test(meant.slice(cut.text.length));
  return meant.startsWith(cut.text) && !halvesPair && !Object.hasOwn(whole, cut.key);
}

test("what a tool is shown of a cut input are members and a beginning of what the model meant", () => {
  fc.assert(
    fc.property(texts, (json) => {
      const original = parsePlainJson<Readonly<Record<string, unknown>>>(json);
      const untrue = beginnings(json).filter(
        (written) => !isTrue(original, shown(written) ?? { complete: { nothing: "shown" } }),
      );
      expect(untrue).toEqual([]);
    }),
    { numRuns: runs(200) },
  );
});

test("a string is shown as far as it came: no more than one character, escape or pair is missing", () => {
  fc.assert(
    fc.property(strings, fc.boolean(), (value, escapes) => {
      const json = escapes ? escaped(JSON.stringify({ k: value })) : JSON.stringify({ k: value });
      const lastQuote = json.length - 2;
      const seen = shown(json.slice(0, lastQuote));
      expect(value.length - (seen?.incomplete?.text.length ?? -2)).toBeLessThanOrEqual(
        /[\ud800-\udbff]$/.test(value) ? 1 : 0,
      );
    }),
    { numRuns: runs(500) },
  );
});

test("complete members are shown, also numbers, literals and lists", () => {
  expect(shown('{"a":12,"b":true,"c":[1,{"d":"x"}],"e":"')).toEqual({
    complete: { a: 12, b: true, c: [1, { d: "x" }] },
    incomplete: { key: "e", text: "" },
  });
  expect(shown('{"a":1,"a":"x')).toEqual({
    complete: { a: 1 },
    incomplete: { key: "a", text: "x" },
  });
  expect(shown('{"a":12')).toEqual({ complete: {} });
  expect(shown('{"a":"x","b')).toEqual({ complete: { a: "x" } });
  expect(shown('{"a":["x')).toEqual({ complete: {} });
});

test("a __proto__ member of a cut input is a member, and changes no prototype", () => {
  const seen = shown('{"__proto__":{"admin":true},"a":"x');
  expect(Object.getPrototypeOf(seen?.complete)).toBe(Object.prototype);
  expect(seen?.complete).not.toHaveProperty("admin");
  expect(seen?.incomplete).toEqual({ key: "a", text: "x" });
});

test("a cut run of a million backslashes, or of escapes, is read at once", () => {
  const backslashes = "\\\\".repeat(500_000);
  expect(shown(`{"a":"${backslashes}\\`)?.incomplete?.text).toHaveLength(500_000);
  expect(shown(`{"a":"${"\\u0041".repeat(200_000)}\\u00`)?.incomplete?.text).toHaveLength(200_000);
  expect(shown(`{"a":"${'\\"'.repeat(500_000)}`)?.incomplete?.text).toHaveLength(500_000);
});
