import { describe, expect, test } from "vitest";
import { distinct, literalsIn, madeWhileLoading } from "../src/regexps/expressions.ts";
import { growthOfExpression } from "../src/regexps/growth.ts";
import { findGrowth } from "../src/regexps/report.ts";

const file = "bad.js";
const growthIn = (code: string): readonly string[] =>
  literalsIn(file, code).map((expression) => growthOfExpression(expression));

describe("the check of regular expressions", () => {
  test.each([
    ["white space before a place that looks ahead", String.raw`/^\s*\[?\s*(?=\{)/y`],
    ["the end of a text", String.raw`/\\*$/`],
    ["blanks around a comma", String.raw`text.split(/\s*,\s*/)`],
    ["two repetitions of one class", String.raw`/^\s*(?:\{\s*\})?\s*$/`],
    ["a place that looks ahead between two repetitions", "/^a*(?!b)a*c/"],
    ["a repetition in a repetition", "/^(a+)+$/"],
  ])("finds what grows faster than its text: %s", (_, code) => {
    expect(growthIn(code)).toEqual([expect.stringMatching(/polynomial|exponential/)]);
  });

  test.each([
    String.raw`/^\s*(?:\[\s*)?(?=\{)/y`,
    "/[a-z]{0,20}:[^@]{1,500}@/",
    "/APIConnection|AbortError/",
  ])("passes %s", (code) => {
    expect(growthIn(code)).toEqual(["linear"]);
  });

  test("finds an expression that is made of texts", async () => {
    const made = await madeWhileLoading(file, async () => new RegExp(["(a+)", "+$"].join("")));
    expect(made).toEqual([{ source: "(a+)+$", flags: "", file }]);
    expect(RegExp.prototype.constructor).toBe(RegExp);
  });

  test("names what to mend, and exceptions that no expression needs", () => {
    const expressions = distinct(literalsIn(file, "[/(a+)+$/, /(a+)+$/, /(b+)+$/, /a/]"));
    expect(expressions).toHaveLength(3);
    const exceptions = [/\(b/, /c/].map((expression) => ({
      file: /bad/,
      expression,
      reason: "Short.",
    }));
    expect(findGrowth(expressions, exceptions)).toEqual([
      expect.stringMatching(/^bad\.js: \/\(a\+\)\+\$\/ grows/),
      "exceptions.ts: nothing needs /c/ of /bad/",
    ]);
  });
});
