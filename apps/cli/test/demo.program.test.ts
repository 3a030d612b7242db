import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { type DemoEvent, type EventOf, playDemo } from "../src/demo/demo.ts";
import { expectedFiles } from "../src/demo/project.ts";
import { type ProviderName, providerNames } from "../src/demo/providers.ts";
import { renderTerminal } from "../src/demo/render.ts";
import { exchanges } from "../src/demo/script.ts";
import type { OutputStream } from "../src/demo/terminal.ts";
import { fullstop, start } from "./fullstop.ts";

const escapeCode = "\u001b";

describe("the demo without options", () => {
  it("shows each kind of fault once, in at most 60 lines", async () => {
    const { code, stdout } = await fullstop(["demo"]);
    expect(code, stdout).toBe(0);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(60);
    const shown = lines.flatMap((line) => /^── reply \d+ ── (.*?) ──/.exec(line)?.[1] ?? []);
    expect(shown).toEqual([
      "cut, relabelled as tool_use",
      "connection lost during a call",
      "cut at the cap in a string",
      "filtered, input complete",
    ]);
    expect(lines.filter((line) => line.includes("✖ held back"))).toHaveLength(5);
    expect(stdout).toContain("✖ held back: replies 13 to 14: connection lost during a call");
    expect(lines.filter((line) => line.startsWith("  ✔ "))).toHaveLength(6);
  });
});

describe("the demo, piped", () => {
  let ended: Awaited<ReturnType<typeof fullstop>>;
  beforeAll(async () => {
    ended = await fullstop(["demo", "--all"]);
  });

  it("ends with exit code 0 and removes its folder", () => {
    expect(ended.code, ended.stdout).toBe(0);
    expect(ended.stderr).toBe("");
    expect(ended.left).toEqual([]);
  });

  it("shows which replies were held back and for which reason", () => {
    const held = ended.stdout.split("\n").filter((line) => line.includes("✖ held back"));
    expect(held.map((line) => line.replace(/.*held back: /, ""))).toEqual([
      "length, cap-reached",
      "interrupted, no-terminal",
      "length, stop-reason",
      "content-filter, stop-reason",
      "interrupted, no-terminal",
      "interrupted, no-terminal",
    ]);
    expect(ended.stdout).toMatch(/gate +✔ tool-use: .*write/);
    expect(ended.stdout).toContain('… rm -rf ~/"}');
    expect(ended.stdout).toContain("\n✔ Only permitted calls ran");
  });

  it("prints plain lines of at most 80 characters", () => {
    for (const code of [escapeCode, "\r"]) expect(ended.stdout).not.toContain(code);
    const lines = ended.stdout.split("\n").filter((line) => !line.includes("folder"));
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });
});

describe("colour and width", () => {
  it("colours a pipe if FORCE_COLOR is set, without live lines", async () => {
    const { code, stdout } = await fullstop(["demo"], { FORCE_COLOR: "1" });
    expect(code).toBe(0);
    expect(stdout).toContain(`${escapeCode}[`);
    expect(stripVTControlCharacters(stdout)).not.toContain(escapeCode);
    expect(stdout).not.toContain("\r");
  });

  it("wraps its lines at COLUMNS if the output is not a terminal", async () => {
    const { stdout } = await fullstop(["demo"], { COLUMNS: "64" });
    const headings = stdout.split("\n").filter((line) => line.startsWith("── "));
    expect(new Set(headings.map((line) => line.length))).toEqual(new Set([64]));
  });

  it("wraps what it says and what it checked in a narrow terminal", async () => {
    const { stdout } = await fullstop(["demo"], { COLUMNS: "40" });
    const lines = stdout.split("\n").filter((line) => !line.startsWith("── checked"));
    expect(lines.filter((line) => line.length > 40)).toEqual([]);
    expect(stdout).toMatch(/^ {2}input {3}write clean\.sh .*rm -rf ~\//m);
  });

  it("has no colour if NO_COLOR is set", async () => {
    const { code, stdout } = await fullstop(["demo"], { NO_COLOR: "1" });
    expect(code).toBe(0);
    expect(stdout).not.toContain(escapeCode);
  });
});

/** A stream that keeps what is written to it. */
function createStream(
  isTTY: boolean,
  columns = 80,
): { readonly stream: OutputStream; written(): string } {
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
  it("shows each growing input in one line, and leaves the same lines as a pipe", async () => {
    const terminal = createStream(true);
    const pipe = createStream(false);
    const sizeless = createStream(false, 0);
    const shows = [terminal, pipe, sizeless].map(({ stream }) =>
      renderTerminal(stream, { all: true }),
    );
    const show = (event: DemoEvent): void => {
      for (const one of shows) one(event);
    };
    await playDemo({ provider: "anthropic", onEvent: show, signal: new AbortController().signal });

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

const parseEvents = (stdout: string): readonly DemoEvent[] =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as DemoEvent);
const eventsOf = <Type extends DemoEvent["type"]>(events: readonly DemoEvent[], type: Type) =>
  events.filter((event): event is EventOf<Type> => event.type === type);

describe("the inputs of the demo", () => {
  // Responses sends the start of an input twice, and Gemini sends an input in one piece.
  for (const provider of ["openai", "google"] as const) {
    it(`are shown once each, with all that arrived: ${provider}`, async () => {
      const { stream, written } = createStream(false);
      await playDemo({
        provider,
        onEvent: renderTerminal(stream, { all: true }),
        signal: new AbortController().signal,
      });
      const lines = written()
        .split("\n")
        .filter((line) => line.startsWith("  input "));
      expect(lines).toHaveLength(exchanges.flatMap(({ inputs = [] }) => inputs).length);
      expect(lines.filter((line) => line.includes(" 0 characters"))).toEqual([]);
      expect(lines[0]).toContain('list .               12 characters  … {"path":"."}');
    });
  }
});

describe("the demo as JSON lines", () => {
  it("prints one event in each line", async () => {
    const { code, stdout, stderr } = await fullstop(["demo", "--json"], { FORCE_COLOR: "1" });
    expect(code).toBe(0);
    expect(stderr).toBe("");
    const events = parseEvents(stdout);
    expect(events.at(0)).toMatchObject({ type: "start", provider: "anthropic" });
    expect(events.at(-1)?.type).toBe("end");
    const interrupted = eventsOf(events, "turn").find(({ reply }) => reply === 4)?.turn;
    expect(interrupted).toMatchObject({
      error: { name: "ProviderError", kind: "network", message: expect.stringMatching(/./) },
    });
    expect(eventsOf(events, "recovery").map(({ action }) => action)).toEqual([
      "raise-cap",
      "retry",
      "tell-model",
      "retry",
      "salvage",
    ]);
    expect(eventsOf(events, "request").flatMap(({ problems }) => problems)).toEqual([]);
    expect(new Map(eventsOf(events, "file").map(({ path, content }) => [path, content]))).toEqual(
      expectedFiles,
    );
    expect(eventsOf(events, "verdict")).toMatchObject([{ ok: true, replies: 16, ran: 13 }]);
  });
});

/** The native stop reasons of the replies 2, 4, 6 and 9: relabelled, dropped, cut and filtered. */
const nativeStops: Readonly<Record<ProviderName, readonly (string | undefined)[]>> = {
  anthropic: ["tool_use", undefined, "max_tokens", "sensitive"],
  openai: ["completed", undefined, "incomplete: max_output_tokens", "incomplete: content_filter"],
  "openai-chat": ["tool_calls", undefined, "length", "content_filter"],
  google: ["STOP", undefined, "MAX_TOKENS", "SAFETY"],
  "openai-compatible": ["tool_calls", undefined, "length", "content_filter"],
  copilot: ["tool_calls", undefined, "length", "content_filter"],
};

/** The calls that a tool completed: path, the end of the content, and the result for the model. */
const salvagedCalls = (events: readonly DemoEvent[]): readonly unknown[] =>
  eventsOf(events, "tool-result").flatMap(({ call: { by, input }, result }) =>
    by === "loop"
      ? [{ path: input["path"], end: String(input["content"]).slice(-14), result: result.content }]
      : [],
  );

describe("the demo with each provider", () => {
  for (const provider of providerNames) {
    it(`${provider}: holds back six replies, each with the native stop reason of its protocol`, async () => {
      const { code, stdout, stderr, left } = await fullstop([
        "demo",
        "--provider",
        provider,
        "--json",
      ]);
      expect(code, stdout).toBe(0);
      expect(stderr).toBe("");
      expect(left).toEqual([]);
      const events = parseEvents(stdout);
      const turns = eventsOf(events, "turn").filter(({ turn }) => turn.withheld.length > 0);
      expect(
        turns.map(({ reply, turn }) => [
          reply,
          turn.stopReason,
          turn.withheld.map(({ name, reason }) => `${name}: ${reason}`),
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
      ).toEqual([...nativeStops[provider], undefined, undefined]);
      expect(salvagedCalls(events)).toEqual([
        {
          path: "README.md",
          end: "Its key is not",
          result: expect.stringMatching(/write.*incomplete.*edit/s),
        },
      ]);
      expect(eventsOf(events, "verdict")).toMatchObject([{ ok: true, replies: 16, ran: 13 }]);
    });
  }
});

describe("--keep", () => {
  it("keeps the files in the folder that it prints", async () => {
    using started = start(["demo", "--keep"]);
    const { code, stdout } = await started.ended;
    expect(code).toBe(0);
    const folder = /kept in (.+)$/m.exec(stdout)?.[1] ?? "";
    expect(started.left()).toHaveLength(1);
    expect(readdirSync(folder).sort()).toEqual([...expectedFiles.keys()]);
    expect(readFileSync(join(folder, "clean.sh"), "utf8")).toBe(expectedFiles.get("clean.sh"));
  });
});
