import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { coderEnds } from "@tooling/docs/coder-ends";
import { coderText } from "@tooling/docs/coder-report";
import type { CoderPair, MeasuredCoder } from "@tooling/docs/coders";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shellCall } from "../src/coders/action.ts";
import type { Coder } from "../src/coders/coder.ts";
import { parseCoderOptions } from "../src/coders/command.ts";
import { coders } from "../src/coders/list.ts";
import { type MeasureCoderOptions, measureCoder } from "../src/coders/measure.ts";
import { mergeCoderResults } from "../src/coders/results.ts";
import { scenarios } from "../src/coders/scenarios.ts";

/** A program of this folder in the place of an agent. */
const agentOf = (mode: string, program = process.execPath): Coder => ({
  ...(coders[0] as Coder),
  title: mode,
  ways: {
    "Chat, bash": {
      wire: "openai-chat",
      action: shellCall("bash", (command) => ({ command })),
      launch: () => ({ command: [program, join(import.meta.dirname, "agents/naive.mjs"), mode] }),
    },
  },
});

const scratch = mkdtempSync(join(tmpdir(), "coders-test-"));
const outside = process.env["TMPDIR"];
beforeAll(() => {
  process.env["TMPDIR"] = scratch;
});
afterAll(() => {
  process.env["TMPDIR"] = outside;
  rmSync(scratch, { recursive: true });
});

const measure = (
  coder: Coder,
  options: Partial<MeasureCoderOptions> = {},
): Promise<MeasuredCoder> =>
  measureCoder(coder, {
    sides: ["before"],
    scenarios,
    between: async (url) => ({ url, close: async () => undefined }),
    timeoutMs: 30_000,
    jobs: 2,
    install: async () => (name) => name,
    ...options,
  });
const pairsOf = ({ ways: [way] }: MeasuredCoder): Readonly<Record<string, CoderPair>> =>
  way?.runs ?? {};
const before = (coder: MeasuredCoder): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    Object.entries(pairsOf(coder)).map(([name, { before: run }]) => [name, run?.effect]),
  );

describe("an agent that runs what it gets", () => {
  let naive: MeasuredCoder;
  beforeAll(async () => {
    naive = await measure(agentOf("naive"));
  });

  it("is reported by what its calls left", () => {
    expect(before(naive)).toEqual({
      S0: "whole",
      S1: "damaged",
      S1R: "damaged",
      S2: "whole",
      S3: "damaged",
      S4: "whole",
      S5: "whole",
      S6: "damaged",
      S6B: "damaged",
      S4R: "twice",
    });
  });

  it("is reported with its requests, its exit code and its last words, without this machine", () => {
    const { S0, S4R } = pairsOf(naive);
    expect([S0?.before?.requests, S4R?.before?.requests]).toEqual([2, 3]);
    expect(S0?.before).toMatchObject({ exitCode: 0, last: "Done in . of ~." });
    expect(naive.ways[0]).toMatchObject({ wire: "openai-chat", namesCap: false });
  });

  it("is in the report", () => {
    const text = coderText(mergeCoderResults(undefined, [naive]));
    expect(text).toContain(
      "| naive | Chat, bash | R | **D** | **D** | R | **D** | R | R | D | D | **2×** |",
    );
    expect(text).toContain(
      "| the reply says that it is not finished, and its call ran | 5 / 5 | – |",
    );
    expect(text).toContain(
      "| relabelled, the request names no cap, and the call ran | 2 / 2 | – |",
    );
    expect(text).toContain("| the call ran twice | 1 / 10 | – |");
    expect(text).toContain("| the reply finished in the end, and its call ran once | 1 / 3 | – |");
  });

  it("is on the page about coding agents, with how its runs ended", () => {
    const text = coderEnds(mergeCoderResults(undefined, [naive]));
    expect(text).toContain(
      "| naive | Chat, bash | **damaged**, 2, exit 0 | **damaged**, 2, exit 0 | **damaged**, 2, exit 0 |",
    );
  });

  it("leaves no folder behind", () => expect(readdirSync(scratch)).toEqual([]));
});

it("ends an agent that does not end, and says so", async () => {
  const measured = await measure(agentOf("endless"), { timeoutMs: 3000, jobs: 10 });
  for (const { before: run } of Object.values(pairsOf(measured))) {
    expect(run).toMatchObject({ timedOut: true });
    expect(run?.exitCode).toBeUndefined();
  }
  expect(coderText(mergeCoderResults(undefined, [measured]))).toMatch(/\| \d\+ \|/);
});

it("says why an agent is not run", async () => {
  const uninstallable = await measure(agentOf("naive"), {
    install: async () => {
      throw new Error("npm has no such package.\nMore.");
    },
  });
  expect(uninstallable).toMatchObject({ notRun: "npm has no such package.", ways: [] });
  const { notRun } = await measure(agentOf("naive", "no-such-program"));
  expect(notRun).toMatch(/^no-such-program cannot be started/);
  expect(coderText(mergeCoderResults(undefined, [uninstallable]))).toContain(
    "Not run. npm has no such package.",
  );
});

it("explains wrong options", () => {
  expect(() => parseCoderOptions(["--coders", "--only", "nothing"])).toThrow(
    /Unknown agent: nothing\. Known are codex/,
  );
  expect(() => parseCoderOptions(["--coders", "--side", "both"])).toThrow(
    "--side is before or after, not both.",
  );
  expect(() => parseCoderOptions(["--coders", "--scenario", "S9"])).toThrow(
    /Unknown scenario: S9\. Known are S0, S1, /,
  );
  const all = parseCoderOptions(["--coders", "--only", "pi", "aider"]);
  expect([all.asked.map(({ name }) => name), all.sides, all.scenarios]).toEqual([
    ["pi", "aider"],
    ["before", "after"],
    scenarios,
  ]);
  const one = parseCoderOptions(["--coders", "--scenario", "S1R", "--scenario", "S2"]);
  expect(one.scenarios.map(({ name }) => name)).toEqual(["S1R", "S2"]);
});

it("asks an agent through what stands between", async () => {
  const urls: string[] = [];
  let closed = 0;
  const measured = await measure(agentOf("idle"), {
    sides: ["after"],
    between: async (url) => {
      urls.push(url);
      return { url, close: async () => void closed++ };
    },
  });
  const runs = Object.values(pairsOf(measured));
  expect(runs.map(({ after }) => after?.effect)).toEqual(runs.map(() => "none"));
  expect(runs.map(({ after }) => after?.exitCode)).toEqual(runs.map(() => 3));
  expect([urls.length, closed]).toEqual([10, 10]);
  const merged = mergeCoderResults(
    mergeCoderResults(undefined, [await measure(agentOf("naive"))]),
    [measured],
  );
  expect(coderText(merged)).toContain("| idle | Chat, bash | R → – | **D** → – | **D** → – |");
  const ends = coderEnds(merged);
  expect(ends).toContain("| **damaged**, 2, exit 0 → not done, 1, exit 3 |");
  expect(ends).toContain("In none of these 3 runs behind the gateway did an agent cause more");
  const chatty = structuredClone(merged);
  Object.assign(chatty.coders[0]?.ways[0]?.runs["S1"]?.after ?? {}, {
    requests: 4,
    at: "2026-01-31T12:00:00.000Z",
  });
  expect(coderEnds(chatty)).toContain("caused more than one request more: idle (S1: 2 → 4).");
  expect(coderText(chatty)).toMatch(
    /behind the gateway on 2026-01-31 \(S1\) and \d{4}-\d\d-\d\d \(S0, S1R, S2, S3,/,
  );
});
