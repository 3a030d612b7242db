import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { leakIn } from "../src/find.ts";
import { type Measurement, missedIn } from "../src/measure.ts";
import { leakedReplies, offered } from "../src/replies.ts";
import { page, sentencesOf, totalOf } from "../src/table.ts";

const result = JSON.parse(
  readFileSync(new URL("../result.json", import.meta.url), "utf8"),
) as Measurement;

test("the replies that are missed are those of the last measurement", async () => {
  expect(await missedIn(leakedReplies)).toEqual(result.missed);
  expect(result.replies).toBe(leakedReplies.length);
});

test("19 of 20 leaked calls are found", () => {
  expect(leakedReplies.length).toBeGreaterThanOrEqual(60);
  expect(totalOf(result.missed) * 20).toBeLessThanOrEqual(result.replies);
});

test("fewer than 1 in 1,000 texts of documents is a false alarm", () => {
  const texts = totalOf(result.packages);
  expect(texts).toBeGreaterThanOrEqual(2000);
  expect(totalOf(result.alarms) * 1000).toBeLessThan(texts);
});

test("a leaked reply names one of the offered tools, and its text before the call is kept", async () => {
  for (const { text, thinking, cut } of leakedReplies) {
    const leak = await leakIn({ text, thinking, ...(cut && { stop: "length" }) }, offered);
    if (leak === undefined) continue;
    expect(offered).toContain(leak.name);
    expect((text ?? thinking ?? "").slice(0, leak.at)).not.toMatch(
      /invoke|tool_call|TOOL_CALLS|functions\./,
    );
  }
});

test("the guide of the loop has the figures", () => {
  expect(readFileSync(page, "utf8")).toContain(sentencesOf(result));
});
