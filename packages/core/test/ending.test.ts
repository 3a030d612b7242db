import { describe, expect, test } from "vitest";
import { stopRules } from "../src/adapter/index.ts";
import { createGate, explain, type StopReason } from "../src/index.ts";
import { acme } from "./acme.ts";
import {
  delta,
  end,
  fails,
  input,
  type Native,
  native,
  providerData,
  read,
  settle,
  start,
  stop,
  text,
  thinking,
  unclosed,
  verdict,
} from "./reply.ts";

const runs = "tool-use, runs read";
const held = (stopReason: StopReason, why: string): string =>
  `${stopReason}, withholds read: ${why}`;
const interrupted = held("interrupted", "no-terminal");

describe("a reply without errors", () => {
  test("a finished reply with a complete call issues it", () => {
    const turn = settle([text("I look."), read, stop("tool")]);
    expect(verdict(turn)).toBe(runs);
    expect(turn.calls).toEqual([{ id: "id-read", name: "read", input: { path: "a" } }]);
    expect(turn.text).toBe("I look.");
  });

  test("the caller's signal withholds all calls and keeps the text", () => {
    const signal = AbortSignal.abort();
    expect(verdict(settle([read, stop("tool")], { signal }))).toBe(held("aborted", "aborted"));
    expect(verdict(settle([read, fails("busy"), stop("policy")], { signal }))).toBe(
      held("aborted", "aborted"),
    );
    expect(settle([text("So far"), stop("done")], { signal }).message?.content).toEqual([
      { type: "text", text: "So far" },
    ]);
    expect(settle([text("So far")], { signal: new AbortController().signal }).stopReason).toBe(
      "interrupted",
    );
  });

  test.each([
    ["busy", "error", "overloaded"],
    ["window", "context-window", "context-window"],
    ["blocked", "content-filter", undefined],
    ["nobody lists this", "error", "server"],
    ["__proto__", "error", "server"],
  ] as const)("an error inside the reply (%s) withholds, by its kind", (code, stopReason, kind) => {
    const turn = settle([read, fails(code), stop("tool", false)]);
    expect(verdict(turn)).toBe(held(stopReason, "error"));
    expect("error" in turn ? turn.error.kind : undefined).toBe(kind);
  });

  test("an error inside the reply counts, also after the protocol's own end", () => {
    expect(verdict(settle([read, stop("tool", false), fails("busy")]))).toBe(
      held("error", "error"),
    );
  });

  test.each([
    ["a piece for an input never started", [delta("nobody", "x")]],
    ["a piece for a closed input", [delta("read", "x")]],
    ["another input under a key still held", [start(0, "list", "one"), start(0, "write", "two")]],
  ] satisfies [string, Native[]][])("%s makes the reply unreadable", (_, contradiction) => {
    const turn = settle([read, ...contradiction, stop("tool", false)]);
    expect(turn).toMatchObject({
      stopReason: "interrupted",
      calls: [],
      error: { kind: "malformed-reply" },
    });
    expect(turn.withheld[0]?.reason).toBe("malformed-frame");
  });

  test("a key may be used again after its input has ended", () => {
    const turn = settle([
      input("read", "{}", 0),
      [start(0, "list", "b"), delta(0, '{"a":1}'), end(0)],
      stop("tool"),
    ]);
    expect(turn.calls.map(({ name, input: given }) => [name, given])).toEqual([
      ["read", {}],
      ["list", { a: 1 }],
    ]);
  });

  test("a repeated start adds what is missing; the first id and name count", () => {
    const turn = settle([
      [
        start(0, "", " "),
        start(0, "read"),
        start(0, undefined, "x"),
        start(0, "", "y"),
        delta(0, "{}"),
        end(0),
      ],
      stop("tool"),
    ]);
    expect(turn.calls).toEqual([{ id: "x", name: "read", input: {} }]);
  });

  test("an event that the decoder rejects gives `malformed-frame`, and the error names the cause", () => {
    const gate = createGate(acme());
    for (const event of [read, "junk", stop("tool", false)]) gate.push(event);
    expect(gate.state).toBe("void");
    const turn = gate.end();
    expect(verdict(turn)).toBe(held("interrupted", "malformed-frame"));
    expect("error" in turn && turn.error.message).toContain("the event junk is not known");
  });
});

describe("the end of a reply", () => {
  test("a reply without a stop reason is interrupted, also with a complete call", () => {
    const turn = settle([text("Hi."), read]);
    expect(verdict(turn)).toBe(interrupted);
    expect(turn).toMatchObject({ text: "Hi.", error: { kind: "cut" } });
    expect(turn.message).toBeUndefined();
    expect(settle([]).stopReason).toBe("interrupted");
  });

  test.each(["", "null", "  "])("%j is not a stop reason", (word) => {
    expect(verdict(settle([read, stop(word)]))).toBe(interrupted);
    expect(verdict(settle([read, stop(word, false)]))).toBe(interrupted);
    expect(verdict(settle([stop(word), read, stop("tool")]))).toBe(runs);
  });

  test("null is not a stop reason, although no type allows it", () => {
    expect(verdict(settle([read, { type: "stop", native: null as never }]))).toBe(interrupted);
    expect(verdict(settle([{ type: "stop", native: null as never }, read, stop("tool")]))).toBe(
      runs,
    );
  });

  test("a native stop reason that claims `null` has no effect", () => {
    expect(verdict(settle([read, stop("running")]))).toBe(interrupted);
    expect(verdict(settle([read, stop("running", false)]))).toBe(interrupted);
    expect(verdict(settle([stop("running"), read, stop("tool")]))).toBe(runs);
  });

  test.each(["invented", "constructor", "__proto__", "toString", "DONE"])(
    "a native stop reason that the table does not list (%s) is `unknown`, and is kept",
    (word) => {
      const turn = settle([text("Hi."), read, stop(word)]);
      expect(verdict(turn)).toBe(held("unknown", "stop-reason"));
      expect(turn).toMatchObject({ native: { stop: word }, error: { kind: "unknown-stop" } });
      expect("error" in turn && turn.error.message).toContain(word);
      expect(turn.message).toMatchObject({
        native: { stop: word },
        content: [{ type: "text", text: "Hi." }],
      });
    },
  );

  test("a provisional stop reason issues no call before the protocol's own end, but may make the verdict worse", () => {
    expect(verdict(settle([read, stop("tool", true)]))).toBe(interrupted);
    expect(verdict(settle([read, stop("tool", true), stop("tool", false)]))).toBe(runs);
    expect(verdict(settle([read, stop("budget", true)]))).toBe(held("length", "no-terminal"));
    expect(verdict(settle([read, stop("declined", true)]))).toBe(held("refusal", "no-terminal"));
    expect(verdict(settle([read, stop("paused", true)]))).toBe(interrupted);
  });

  test.each([
    ["text", text("more")],
    ["thinking", thinking("more")],
    ["a native block", native({})],
    ["a seal", providerData("S")],
    ["another input", [...input("list", "{}")]],
  ] satisfies [string, Native][])(
    "%s after a stop reason revokes it, until the next one that is not provisional",
    (_, content) => {
      expect(settle([read, stop("tool"), content]).stopReason).toBe("interrupted");
      expect(settle([read, stop("tool"), content, stop("tool", true)]).calls).toEqual([]);
      expect(settle([read, stop("tool"), content, stop("tool")]).stopReason).toBe("tool-use");
      expect(settle([read, stop("tool"), content, stop("tool", false)]).stopReason).toBe(
        "tool-use",
      );
    },
  );

  test("content after the protocol's own end revokes the stop reason", () => {
    expect(verdict(settle([stop("tool", false), read]))).toBe(interrupted);
    expect(verdict(settle([stop("tool", false), read, stop("tool", true)]))).toBe(interrupted);
    expect(verdict(settle([stop("tool", false), read, stop("tool", false)]))).toBe(runs);
  });

  test("empty text, usage, metadata and the same stop reason do not revoke a stop reason", () => {
    const harmless: Native[] = [
      text(""),
      thinking(""),
      { type: "usage", usage: { output: 3 } },
      { type: "meta", id: "r" },
      stop("tool"),
    ];
    expect(verdict(settle([read, stop("tool"), ...harmless]))).toBe(runs);
  });

  test("of several stop reasons the most severe one counts and is kept, also if it was revoked", () => {
    expect(verdict(settle([read, stop("budget"), stop("tool", false)]))).toBe(
      held("length", "stop-reason"),
    );
    expect(verdict(settle([read, stop("tool"), stop("budget")]))).toBe(
      held("length", "stop-reason"),
    );
    expect(settle([stop("policy"), read, stop("tool", false)])).toMatchObject({
      stopReason: "content-filter",
      native: { stop: "policy" },
    });
    expect(verdict(settle([read, stop("done"), stop("invented", false)]))).toBe(
      held("unknown", "stop-reason"),
    );
  });

  test("a transport error counts only before the protocol's own end", () => {
    const thrown = Object.assign(new TypeError("terminated"), { cause: { code: "ECONNRESET" } });
    expect(verdict(settle([read, stop("tool", false)], { thrown }))).toBe(runs);
    expect(verdict(settle([read, stop("tool")], { thrown }))).toBe(interrupted);
    expect(verdict(settle([read, stop("tool", true)], { thrown }))).toBe(interrupted);
    expect(verdict(settle([read, stop("budget", true)], { thrown }))).toBe(
      held("length", "no-terminal"),
    );
  });

  test("a complete call runs under `stop` too", () => {
    expect(verdict(settle([read, stop("done")]))).toBe(runs);
    expect(settle([text("Hi."), stop("done")]).stopReason).toBe("stop");
  });

  test.each([
    ["budget", "length", "stop-reason"],
    ["policy", "content-filter", "stop-reason"],
    ["declined", "refusal", "stop-reason"],
    ["paused", "pause", "stop-reason"],
    ["full", "context-window", "stop-reason"],
    ["failed", "error", "stop-reason"],
    ["sequence", "stop", "stop-sequence"],
  ] as const)("a whole call under %s is withheld", (word, stopReason, why) => {
    const turn = settle([text("Hi."), read, stop(word, false)]);
    expect(verdict(turn)).toBe(held(stopReason, why));
    expect(turn.text).toBe("Hi.");
    expect("error" in turn).toBe(["context-window", "error"].includes(stopReason));
    const { keeps } = stopRules[stopReason];
    expect(turn.message?.content).toEqual(
      keeps === "nothing" ? undefined : [{ type: "text", text: "Hi." }],
    );
  });

  test("a detail counts only if the table lists it together with the stop reason", () => {
    expect(settle([stop("failed", false, "cancelled")])).toMatchObject({
      error: { kind: "cancelled" },
      native: { stop: "failed", detail: "cancelled" },
    });
    expect(settle([stop("failed", false, "otherwise")])).toMatchObject({
      stopReason: "error",
      error: { kind: "server" },
    });
    expect(settle([stop("done", false, { sequence: "x" })])).toMatchObject({
      stopReason: "stop",
      native: { detail: { sequence: "x" } },
    });
    const stops = { done: "stop", "done:refusal": "refusal", "done:soon": null } as const;
    expect(settle([read, stop("done", false, "refusal")], { adapter: { stops } }).stopReason).toBe(
      "refusal",
    );
    expect(verdict(settle([read, stop("done", false, "soon")], { adapter: { stops } }))).toBe(
      interrupted,
    );
  });

  test("a stop sequence together with a tool stop reason withholds the calls", () => {
    expect(settle([read, stop("sequence"), stop("tool", false)])).toMatchObject({
      stopReason: "malformed-tool-call",
      calls: [],
    });
    expect(settle([text("Hi."), stop("sequence")]).stopReason).toBe("stop");
  });

  test.each(["done", "tool", "budget", "declined", "failed", undefined])(
    "side effects of the provider's tools are reported under every stop reason: %s",
    (word) => {
      const natives = [
        text("Hi."),
        { type: "side-effects" },
        read,
        ...(word ? [stop(word, false)] : []),
      ] satisfies Native[];
      const turn = settle(natives);
      expect(turn.sideEffects).toBe(true);
      expect(explain(turn).person.includes("Its effects remain")).toBe(
        turn.stopReason !== "tool-use",
      );
      expect(settle(natives.toSpliced(1, 1))).not.toHaveProperty("sideEffects");
    },
  );

  test("an input without an end is withheld if the protocol marks the end of inputs", () => {
    expect(verdict(settle([unclosed("read", "{}"), stop("tool")]))).toBe(
      held("malformed-tool-call", "not-closed"),
    );
  });
});
