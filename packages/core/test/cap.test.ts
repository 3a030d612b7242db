import { describe, expect, test } from "vitest";
import { explain } from "../src/index.ts";
import { type Native, read, settle, stop, text, usage, verdict } from "./reply.ts";

const runs = "tool-use, runs read";
describe("the output cap", () => {
  test.each(["tool", "done"])(
    "usage at the cap with a tool input is a cut reply, also under %s",
    (word) => {
      const reply: Native[] = [read, usage(100), stop(word)];
      expect(verdict(settle(reply, { maxTokens: 100 }))).toBe(
        "length, withholds read: cap-reached",
      );
      expect(verdict(settle(reply, { maxTokens: 99 }))).toBe("length, withholds read: cap-reached");
      expect(verdict(settle(reply, { maxTokens: 101 }))).toBe(runs);
      expect(verdict(settle(reply))).toBe(runs);
    },
  );

  test("usage may come after the stop reason", () => {
    expect(settle([read, stop("tool"), usage(100)], { maxTokens: 100 }).stopReason).toBe("length");
  });

  test("text without calls at the cap is a cut reply, unless a stop sequence ended it", () => {
    expect(settle([text("Hi."), usage(100), stop("done")], { maxTokens: 100 }).stopReason).toBe(
      "length",
    );
    expect(settle([text("Hi."), usage(99), stop("done")], { maxTokens: 100 }).stopReason).toBe(
      "stop",
    );
    expect(settle([text("Hi."), usage(100), stop("sequence")], { maxTokens: 100 }).stopReason).toBe(
      "stop",
    );
  });

  test("a reply that claims a cut but used less than half of the cap is `context-window`", () => {
    const cut: Native[] = [read, usage(49), stop("budget")];
    expect(verdict(settle(cut, { maxTokens: 100 }))).toBe(
      "context-window, withholds read: stop-reason",
    );
    expect(settle(cut, { maxTokens: 100 })).toMatchObject({ error: { kind: "context-window" } });
    expect(settle(cut, { maxTokens: 98 }).stopReason).toBe("length");
    expect(settle(cut).stopReason).toBe("length");
    expect(settle([read, usage(0), stop("budget")], { maxTokens: 100 }).stopReason).toBe("length");
    expect(settle([read, usage(49, null), stop("budget")], { maxTokens: 100 }).stopReason).toBe(
      "length",
    );
  });

  test("`towardCap` counts before `output`, and `null` prevents the comparison", () => {
    expect(verdict(settle([read, usage(50, 100), stop("tool")], { maxTokens: 100 }))).toBe(
      "length, withholds read: cap-reached",
    );
    expect(verdict(settle([read, usage(6100, 100), stop("tool")], { maxTokens: 4096 }))).toBe(runs);
    expect(verdict(settle([read, usage(6100, null), stop("tool")], { maxTokens: 4096 }))).toBe(
      runs,
    );
  });

  test("of each usage field the largest counts; an absent field keeps it", () => {
    const shrinking: Native[] = [
      read,
      usage(90),
      { type: "usage", usage: { output: 20, cacheRead: undefined as never } },
      stop("tool"),
    ];
    expect(settle(shrinking, { maxTokens: 100 })).toMatchObject({
      stopReason: "tool-use",
      usage: { input: 9, output: 90 },
    });
    expect(settle(shrinking, { maxTokens: 90 }).stopReason).toBe("length");
    expect(
      settle([usage(90, 5), { type: "usage", usage: { input: 12 } }, stop("done")]).usage,
    ).toEqual({
      input: 12,
      output: 90,
      towardCap: 5,
    });
    expect(settle([stop("done")]).usage).toEqual({ input: 0, output: 0 });
  });

  test("under `mislabelsTruncation` a call needs a cap and a usage", () => {
    const adapter = { mislabelsTruncation: true };
    const unproven = "length, withholds read: cap-unproven";
    expect(verdict(settle([read, stop("tool")], { adapter, maxTokens: 100 }))).toBe(unproven);
    expect(verdict(settle([read, usage(5, null), stop("tool")], { adapter, maxTokens: 100 }))).toBe(
      unproven,
    );
    expect(verdict(settle([read, usage(5), stop("tool")], { adapter }))).toBe(unproven);
    expect(verdict(settle([read, usage(0), stop("tool")], { adapter, maxTokens: 100 }))).toBe(
      unproven,
    );
    expect(verdict(settle([read, usage(100), stop("tool")], { adapter, maxTokens: 100 }))).toBe(
      "length, withholds read: cap-reached",
    );
    expect(verdict(settle([read, usage(5), stop("tool")], { adapter, maxTokens: 100 }))).toBe(runs);
    expect(settle([text("Hi."), stop("done")], { adapter }).stopReason).toBe("stop");
  });

  test.each([
    [
      "no cap was sent",
      { maxTokens: undefined, news: [usage(5)] },
      /No output cap was sent.*`maxTokens`/,
    ],
    [
      "no usage came",
      { maxTokens: 100, news: [] },
      /reports no usage.*`mislabelsTruncation: false`/,
    ],
    [
      "the usage is empty",
      { maxTokens: 100, news: [usage(0)] },
      /usage of 0 output tokens.*`mislabelsTruncation: false`/,
    ],
    [
      "the usage cannot be compared",
      { maxTokens: 100, news: [usage(500, null)] },
      /reasoning.*`mislabelsTruncation: false`/,
    ],
  ] satisfies [string, { maxTokens: number | undefined; news: Native[] }, RegExp][])(
    "the detail of `cap-unproven` says that %s",
    (_, { maxTokens, news }, says) => {
      const turn = settle([read, ...news, stop("tool")], {
        adapter: { mislabelsTruncation: true },
        maxTokens,
      });
      expect(turn.withheld[0]?.detail).toMatch(says);
      expect(explain(turn).person).toMatch(says);
    },
  );
});
