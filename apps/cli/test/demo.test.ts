import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { demo } from "../src/demo/demo.ts";
import type { DemoEvent } from "../src/demo/event.ts";
import type { Stream } from "../src/demo/paper.ts";
import { finished } from "../src/demo/project.ts";
import { type ProviderName, providerNames } from "../src/demo/providers.ts";
import { steps } from "../src/demo/script.ts";
import { showTerminal } from "../src/demo/show.ts";
import { fullstop, start } from "./fullstop.ts";

const escapeCode = "\u001b";

describe("the demo, piped", () => {
  let ended: Awaited<ReturnType<typeof fullstop>>;
  beforeAll(async () => {
    ended = await fullstop(["demo"]);
  });

  it("ends with 0, its server closed and its folder removed", () => {
    expect(ended.code, ended.stdout).toBe(0);
    expect(ended.stderr).toBe("");
    expect(ended.left).toEqual([]);
  });

  it("shows what was held back, and why", () => {
    const held = ended.stdout.split("\n").filter((line) => line.includes("✖ held back"));
    expect(held.map((line) => line.replace(/.*held back: /, ""))).toEqual([
      "length, cap-reached",
      "interrupted, no-terminal",
      "length, stop-reason",
      "content-filter, stop-reason",
      "interrupted, no-terminal",
      "interrupted, no-terminal",
    ]);
    expect(ended.stdout).toContain(
      "✔ tool-use: The call of write was cut; its tool went on with what had",
    );
    expect(ended.stdout).toContain('… rm -rf ~/"}');
    expect(ended.stdout).toContain("✔ Nothing ran that must not, and the task is finished.");
  });

  it("is plain lines, none wider than 80 characters", () => {
    for (const code of [escapeCode, "\r"]) expect(ended.stdout).not.toContain(code);
    const lines = ended.stdout.split("\n").filter((line) => !line.includes("folder"));
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });
});

describe("colour", () => {
  it("comes to a pipe only when it is forced, and without the tricks of a terminal", async () => {
    const { code, stdout } = await fullstop(["demo"], { FORCE_COLOR: "1" });
    expect(code).toBe(0);
    expect(stdout).toContain(`${escapeCode}[`);
    expect(stripVTControlCharacters(stdout)).not.toContain(escapeCode);
    expect(stdout).not.toContain("\r");
  });

  it("goes with NO_COLOR", async () => {
    const { code, stdout } = await fullstop(["demo"], { NO_COLOR: "1" });
    expect(code).toBe(0);
    expect(stdout).not.toContain(escapeCode);
  });
});

/** A stream that says what it is, and keeps what is written to it. */
function paper(isTTY: boolean, columns = 80): { readonly stream: Stream; written(): string } {
  const pieces: string[] = [];
  const stream = new Writable({
    write(chunk, _, done) {
      pieces.push(String(chunk));
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY, columns }), written: () => pieces.join("") };
}

describe("the demo in a terminal", () => {
  it("shows inputs grow in one line that always fits, and leaves the lines that a pipe gets", async () => {
    const terminal = paper(true);
    const pipe = paper(false);
    const sizeless = paper(false, 0);
    const shows = [terminal, pipe, sizeless].map(({ stream }) => showTerminal(stream));
    const show = (event: DemoEvent): void => {
      for (const one of shows) one(event);
    };
    await demo({ provider: "anthropic", show, signal: new AbortController().signal });

    const frames = terminal.written().split(/[\r\n]/);
    const counts = frames.flatMap(
      (frame) =>
        /write clean\.sh +([\d,]+) characters/.exec(stripVTControlCharacters(frame))?.[1] ?? [],
    );
    expect(counts.length).toBeGreaterThan(20);
    expect(frames.map(stripVTControlCharacters).filter((frame) => frame.length > 80)).toEqual([]);
    const settled = terminal
      .written()
      .split("\n")
      .map((line) => line.split("\r").at(-1));
    expect(stripVTControlCharacters(settled.join("\n"))).toBe(
      stripVTControlCharacters(pipe.written()),
    );
    expect(sizeless.written()).toBe(pipe.written());
  });
});

const eventsIn = (stdout: string): readonly DemoEvent[] =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as DemoEvent);
const only = <Type extends DemoEvent["type"]>(events: readonly DemoEvent[], type: Type) =>
  events.filter((event): event is Extract<DemoEvent, { type: Type }> => event.type === type);

describe("the demo's inputs", () => {
  // Responses says the start of an input twice, and Gemini sends it in one piece.
  for (const provider of ["openai", "google"] as const) {
    it(`are shown once each, with all that came of them: ${provider}`, async () => {
      const { stream, written } = paper(false);
      await demo({ provider, show: showTerminal(stream), signal: new AbortController().signal });
      const lines = written()
        .split("\n")
        .filter((line) => line.startsWith("  input "));
      expect(lines).toHaveLength(steps.flatMap(({ inputs = [] }) => inputs).length);
      expect(lines.filter((line) => line.includes(" 0 characters"))).toEqual([]);
      expect(lines[0]).toContain('list .               12 characters  … {"path":"."}');
    });
  }
});

describe("the demo as JSON lines", () => {
  it("prints one event in each line, with what was held back and why", async () => {
    const { code, stdout, stderr } = await fullstop(["demo", "--json"], { FORCE_COLOR: "1" });
    expect(code).toBe(0);
    expect(stderr).toBe("");
    const events = eventsIn(stdout);
    expect(events.at(0)).toMatchObject({ type: "start", provider: "anthropic" });
    expect(events.at(-1)?.type).toBe("end");
    const interrupted = only(events, "turn").find(({ reply }) => reply === 4)?.turn;
    expect(interrupted).toMatchObject({
      error: { name: "ProviderError", kind: "network", message: expect.stringMatching(/./) },
    });
    expect(only(events, "recovery").map(({ action }) => action)).toEqual([
      "raise-cap",
      "retry",
      "tell-model",
      "retry",
      "salvage",
    ]);
    expect(only(events, "request").flatMap(({ surprises }) => surprises)).toEqual([]);
    expect(new Map(only(events, "file").map(({ path, content }) => [path, content]))).toEqual(
      finished,
    );
    expect(only(events, "verdict")).toMatchObject([{ ok: true, replies: 16, ran: 13 }]);
  });
});

/** Each protocol's word for a cut that is relabelled, a dropped reply, a cut and a filtered one. */
const said: Readonly<Record<ProviderName, readonly (string | undefined)[]>> = {
  anthropic: ["tool_use", undefined, "max_tokens", "sensitive"],
  openai: ["completed", undefined, "incomplete: max_output_tokens", "incomplete: content_filter"],
  "openai-chat": ["tool_calls", undefined, "length", "content_filter"],
  google: ["STOP", undefined, "MAX_TOKENS", "SAFETY"],
  "openai-compatible": ["tool_calls", undefined, "length", "content_filter"],
  copilot: ["tool_calls", undefined, "length", "content_filter"],
};

/** What a tool made of a cut input: what it ran, and what the model was told first. */
const salvagedIn = (events: readonly DemoEvent[]): readonly string[] =>
  only(events, "tool-result").flatMap(({ call: { by, input }, result }) =>
    by === "loop"
      ? [
          `${input["path"]} up to: ${String(input["content"]).slice(-14)}`,
          `${String(result.content).split(".", 1)[0]}.`,
        ]
      : [],
  );

describe("the demo with each provider", () => {
  for (const provider of providerNames) {
    it(`${provider}: ends with 0, and six replies held back, each under its protocol's own word`, async () => {
      const { code, stdout, stderr, left } = await fullstop([
        "demo",
        "--provider",
        provider,
        "--json",
      ]);
      expect(code, stdout).toBe(0);
      expect(stderr).toBe("");
      expect(left).toEqual([]);
      const events = eventsIn(stdout);
      const turns = only(events, "turn").filter(({ turn }) => turn.withheld.length > 0);
      expect(
        turns.map(({ reply, turn }) => [
          reply,
          turn.stopReason,
          turn.withheld.map(({ name, reason: why }) => `${name}: ${why}`),
        ]),
      ).toEqual([
        [2, "length", ["write: cap-reached"]],
        [4, "interrupted", ["write: no-terminal"]],
        [6, "length", ["write: stop-reason"]],
        [9, "content-filter", ["write: stop-reason"]],
        [13, "interrupted", ["write: no-terminal"]],
        [14, "interrupted", ["write: no-terminal"]],
      ]);
      expect(
        turns.map(({ turn: { native } }) =>
          native?.detail === undefined ? native?.stop : `${native.stop}: ${native.detail}`,
        ),
      ).toEqual([...said[provider], undefined, undefined]);
      expect(salvagedIn(events)).toEqual([
        "README.md up to: Its key is not",
        "Your call of write was cut off when the connection was lost: its arguments were incomplete.",
      ]);
      expect(only(events, "verdict")).toMatchObject([{ ok: true, replies: 16, ran: 13 }]);
    });
  }
});

describe("--keep", () => {
  it("leaves the files where it says", async () => {
    using started = start(["demo", "--keep"]);
    const { code, stdout } = await started.ended;
    expect(code).toBe(0);
    const folder = /kept in (.+)$/m.exec(stdout)?.[1] ?? "";
    expect(started.left()).toHaveLength(1);
    expect(readdirSync(folder).sort()).toEqual([...finished.keys()]);
    expect(readFileSync(join(folder, "clean.sh"), "utf8")).toBe(finished.get("clean.sh"));
  });
});
