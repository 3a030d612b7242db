import { runs } from "@tooling/test/property";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createGate,
  type RuleResult,
  restoreTurn,
  toProviderError,
  type WithheldReason,
} from "../src/index.ts";
import { acme } from "./acme.ts";
import { randomReplies, settings } from "./random-replies.ts";
import {
  delta,
  end,
  fails,
  input,
  type Native,
  read,
  type Setting,
  settle,
  start,
  stop,
  text,
  unclosed,
  usage,
} from "./reply.ts";

/** For each rule a reply that fails it first, in the order in which the gate checks them. */
const failing: Readonly<
  Record<RuleResult["rule"], readonly [WithheldReason, readonly Native[], Setting?]>
> = {
  notAborted: ["aborted", [read, stop("tool")], { signal: AbortSignal.abort() }],
  noProviderError: ["error", [read, fails("busy")]],
  readable: ["malformed-frame", [read, delta("nobody", "x"), stop("tool")]],
  transportIntact: [
    "no-terminal",
    [read, stop("tool", true)],
    { thrown: new TypeError("terminated") },
  ],
  ended: ["no-terminal", [read]],
  finished: ["stop-reason", [read, stop("budget")]],
  callsPermitted: ["stop-sequence", [read, stop("sequence")]],
  belowCap: ["cap-reached", [read, usage(100), stop("tool")], { maxTokens: 100 }],
  inputsClosed: ["not-closed", [unclosed("read", "{}"), stop("tool")]],
  callsNamed: ["no-name", [[start(0, "", "x"), end(0, "{}")], stop("tool")]],
  inputsNotMissing: [
    "input-missing",
    [input("read", "{}"), stop("tool")],
    {
      tools: [
        {
          name: "read",
          description: "",
          inputSchema: { type: "object", properties: { path: {} }, required: ["path"] },
        },
      ],
    },
  ],
  inputsValid: ["invalid-json", [input("read", "{path}"), usage(1), stop("tool")]],
  hasRequestedCall: ["no-call", [text("Hm."), stop("tool")]],
};
const names = Object.keys(failing);

describe("the results of the rules", () => {
  test.each(Object.entries(failing))(
    "name `%s` as the one that decided",
    (rule, [reason, natives, setting]) => {
      const turn = settle(natives, setting);
      const results = turn.rules ?? [];
      expect(results.map((result) => result.rule)).toEqual(names);
      expect(results.filter(({ decisive }) => decisive)).toEqual([
        expect.objectContaining({ rule, passed: false, decisive: true, reason }),
      ]);
      const before = results.slice(0, names.indexOf(rule));
      expect(before.every(({ passed }) => passed)).toBe(true);
      for (const held of turn.withheld) expect(held.reason).toBe(reason);
    },
  );

  test("of a finished reply are all passed, and hold nothing else", () => {
    for (const natives of [
      [read, usage(1), stop("tool")],
      [text("Hi."), stop("done")],
    ]) {
      expect(settle(natives, { maxTokens: 100 }).rules).toEqual(
        names.map((rule) => ({ rule, passed: true })),
      );
    }
  });

  test("list every rule that failed, and the evidence of each", () => {
    const results = settle([unclosed("read", "{pa"), usage(100), stop("tool")], {
      maxTokens: 100,
    }).rules?.filter(({ passed }) => !passed);
    expect(results).toEqual([
      {
        rule: "belowCap",
        passed: false,
        decisive: true,
        reason: "cap-reached",
        detail: "The usage is 100 of 100 output tokens.",
      },
      { rule: "inputsClosed", passed: false, reason: "not-closed" },
      { rule: "inputsValid", passed: false, reason: "invalid-json" },
    ]);
  });

  test("say that the beginning of an object was cut", () => {
    const turn = settle([text('{"a":'), stop("done")], { output: { schema: { type: "object" } } });
    expect(turn.stopReason).toBe("length");
    expect(turn.rules?.find(({ decisive }) => decisive)).toEqual({
      rule: "inputsValid",
      passed: false,
      decisive: true,
      reason: "input-cut",
    });
  });

  test("are frozen, and come back with a stored turn", () => {
    const turn = settle([read, stop("budget")]);
    expect(Object.isFrozen(turn.rules)).toBe(true);
    expect(Object.isFrozen(turn.rules?.[0])).toBe(true);
    const stored = JSON.parse(JSON.stringify(turn));
    expect(restoreTurn(stored).rules).toEqual(turn.rules);
    const { rules: _, ...older } = stored;
    expect(restoreTurn(older).rules).toBeUndefined();
    expect(() => restoreTurn({ ...stored, rules: "all" })).toThrow(/`rules` is not a list/);
  });
});

test("any reply: the first rule that failed decides, and calls run exactly if none failed", () => {
  const request = { output: { schema: { type: "object" } } };
  const outputs = fc.constantFrom({}, request);
  fc.assert(
    fc.property(randomReplies, settings, outputs, (natives, setting, output) => {
      const { adapter, thrown, ...sent } = setting;
      const gate = createGate(acme(adapter), { ...sent, ...output });
      for (const native of natives) gate.push(native);
      if (thrown !== undefined) gate.fail(toProviderError(thrown, acme(adapter)));
      const { rules = [], calls, withheld, stopReason } = gate.end();
      const failed = rules.filter(({ passed }) => !passed);
      expect(rules.map(({ rule }) => rule)).toEqual(names);
      expect(failed.map(({ decisive }) => decisive ?? false)).toEqual(
        failed.map((_, index) => index === 0),
      );
      expect(withheld.every(({ reason }) => reason === failed[0]?.reason)).toBe(true);
      if (failed.length > 0) expect(calls).toEqual([]);
      if (stopReason === "tool-use") expect(failed).toEqual([]);
      expect(failed.every(({ reason }) => reason !== undefined)).toBe(true);
    }),
    { numRuns: runs(2000) },
  );
});
