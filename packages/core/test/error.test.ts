import { describe, expect, test } from "vitest";
import { isProviderError, stopRules } from "../src/adapter/index.ts";
import { type ErrorKind, errorRules, ProviderError, StopReason } from "../src/index.ts";

describe("an error of a provider", () => {
  const error = new ProviderError("It failed.", {
    kind: "overloaded",
    status: 529,
    code: "busy",
    requestId: "req_1",
    retryAfterMs: 5,
    cause: new Error("deep"),
  });

  test("is an error with a kind, and keeps its cause", () => {
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).toBe("ProviderError: It failed.");
    expect(error.cause).toMatchObject({ message: "deep" });
    expect("cause" in new ProviderError("x", { kind: "cut" })).toBe(false);
  });

  test("keeps its message as JSON, and not its cause", () => {
    expect(JSON.parse(JSON.stringify({ error }))).toEqual({
      error: {
        name: "ProviderError",
        message: "It failed.",
        kind: "overloaded",
        status: 529,
        code: "busy",
        requestId: "req_1",
        retryAfterMs: 5,
      },
    });
  });

  test("is recognized by its shape, also from another copy of this package", () => {
    expect(isProviderError(error)).toBe(true);
    expect(
      isProviderError(Object.assign(new Error("x"), { name: "ProviderError", kind: "cut" })),
    ).toBe(true);
    for (const other of [
      new Error("x"),
      Object.assign(new Error("x"), { name: "ProviderError", kind: "constructor" }),
      { name: "ProviderError", kind: "cut" },
      null,
      "x",
    ]) {
      expect(isProviderError(other)).toBe(false);
    }
  });
});

describe("the tables", () => {
  test("contain each stop reason once, by severity", () => {
    const worstFirst = Object.entries(stopRules).sort(([, a], [, b]) => b.severity - a.severity);
    expect(worstFirst.map(([reason]) => reason)).toEqual([
      "aborted",
      "error",
      "content-filter",
      "refusal",
      "context-window",
      "length",
      "malformed-tool-call",
      "interrupted",
      "pause",
      "unknown",
      "tool-use",
      "stop",
    ]);
    expect(Object.keys(stopRules).sort()).toEqual(Object.values(StopReason).sort());
    expect(new Set(worstFirst.map(([, { severity }]) => severity)).size).toBe(worstFirst.length);
  });

  test("say what history keeps", () => {
    const keeping = (what: string): readonly string[] =>
      Object.entries(stopRules)
        .flatMap(([reason, { keeps }]) => (keeps === what ? [reason] : []))
        .sort();
    expect(keeping("message")).toEqual(["pause", "stop", "tool-use"]);
    expect(keeping("text")).toEqual(["aborted", "length", "malformed-tool-call", "unknown"]);
    expect(keeping("nothing")).toEqual([
      "content-filter",
      "context-window",
      "error",
      "interrupted",
      "refusal",
    ]);
  });

  test("give each kind of error a stop reason", () => {
    const kinds = (reason: string): readonly string[] =>
      Object.entries(errorRules)
        .flatMap(([kind, { stop }]) => (stop === reason ? [kind] : []))
        .sort();
    expect(kinds("context-window")).toEqual(["context-window"]);
    expect(kinds("content-filter")).toEqual(["filtered"]);
    expect(kinds("malformed-tool-call")).toEqual(["malformed-tool-call"]);
    expect(kinds("unknown")).toEqual(["unknown-stop"]);
    expect(kinds("interrupted")).toEqual([
      "cut",
      "malformed-reply",
      "network",
      "timeout",
      "too-large",
    ]);
    expect(kinds("error")).toEqual([
      "auth",
      "billing",
      "cancelled",
      "invalid-request",
      "overloaded",
      "rate-limit",
      "server",
    ]);
  });

  test("retry only errors that may pass", () => {
    const futile: readonly ErrorKind[] = [
      "auth",
      "billing",
      "invalid-request",
      "context-window",
      "filtered",
      "malformed-tool-call",
      "cancelled",
      "too-large",
      "unknown-stop",
    ];
    for (const [kind, { retry }] of Object.entries(errorRules))
      expect([kind, retry]).toEqual([kind, !futile.includes(kind as ErrorKind)]);
  });
});
