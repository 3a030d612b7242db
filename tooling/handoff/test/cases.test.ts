import { describe, expect, test } from "vitest";
import { readingCases } from "./reading-cases.ts";
import { runningCases } from "./running-cases.ts";
import { speakers } from "./speakers.ts";

const cases = Object.entries({ ...readingCases, ...runningCases }).toSorted(
  ([one], [other]) => Number.parseInt(one, 10) - Number.parseInt(other, 10),
);
const pairs = cases.flatMap(([name, prove]) =>
  Object.entries(speakers).map(([who, speaker]) => ({ name, who, prove, speaker })),
);

const proven = new Set<string>();

describe("what other loops and adapters get wrong, asked of every adapter", () => {
  test.for(pairs)("$name: $who", async ({ name, prove, speaker }, { skip }) => {
    const reason = await prove(speaker);
    if (reason !== undefined) return skip(reason);
    proven.add(name);
  });

  test("no case is left out, and each is proven somewhere", () => {
    expect(cases.map(([name]) => Number.parseInt(name, 10))).toEqual(
      Array.from({ length: 26 }, (_, n) => n + 1),
    );
    expect(cases.map(([name]) => name).filter((name) => !proven.has(name))).toEqual([]);
  });
});
