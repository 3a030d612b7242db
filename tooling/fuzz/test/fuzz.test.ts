import { guard } from "@fullstop/guard";
import { runs as sampleOf } from "@tooling/test/property";
import { describe, expect, test } from "vitest";
import type { Property } from "../src/judge.ts";
import { guardedNames, protocolNames } from "../src/protocols.ts";
import { formatCounterexample, formatSummary } from "../src/report.ts";
import { fuzz } from "../src/run.ts";
import { controls } from "./controls.ts";

const seed = 20_261_122;
const runs = 300;

describe.each(protocolNames)("%s", (protocol) => {
  test("the replies of one seed violate no property", async () => {
    const replies = sampleOf(runs);
    const result = await fuzz({ protocol, runs: replies, seed });
    expect(
      result.counterexample && formatCounterexample(protocol, result.counterexample),
    ).toBeUndefined();
    expect(result.tally.replies).toBe(replies);
    expect(result.tally.given).toBeGreaterThan(replies / 15);
    expect(result.tally.withheld).toBeGreaterThan(replies / 15);
  });

  test.each(controls)("an adapter that $what violates a property", async ({ property, alter }) => {
    const found = new Set<string>();
    for (let n = 0; n < 20 && !found.has(property); n++) {
      const { counterexample } = await fuzz({
        protocol,
        runs,
        seed: seed + n,
        alter,
        asFound: true,
      });
      if (counterexample !== undefined) found.add(counterexample.broken.property);
    }
    expect([...found]).toContain(property);
  });
});

describe.each(guardedNames)("guard, %s", (protocol) => {
  test("passes on the calls of the finished replies of one seed, and no other", async () => {
    const result = await fuzz({ protocol, runs: sampleOf(runs), seed, guard });
    expect(
      result.counterexample && formatCounterexample(protocol, result.counterexample),
    ).toBeUndefined();
    expect(result.tally.given).toBeGreaterThan(sampleOf(runs) / 15);
  });

  test.for<[string, typeof guard, Property]>([
    ["passes on everything", (fetch = globalThis.fetch) => fetch, "unfinished"],
    ["passes on nothing", () => async () => new Response(""), "withheld"],
  ])("a guard that %s violates a property", async ([, broken, property]) => {
    const { counterexample } = await fuzz({ protocol, runs, seed, guard: broken, asFound: true });
    expect(counterexample?.broken.property).toBe(property);
    expect(counterexample && formatCounterexample(protocol, counterexample)).toContain("--guard");
  });
});

test("a wrong reference reader violates a property", async () => {
  const { judge } = await import("../src/judge.ts");
  const reading = {
    verdict: "finished",
    because: "it ended",
    calls: [],
    sure: true,
    orderly: true,
  } as const;
  const turn = {
    stopReason: "stop",
    text: "",
    usage: { input: 0, output: 0 },
    calls: [],
    withheld: [],
  } as const;
  expect(
    judge({ turn, truth: reading, reading: { ...reading, verdict: "unfinished" }, damages: [] })
      ?.property,
  ).toBe("reference");
  expect(judge({ turn, truth: reading, reading: reading, damages: [] })).toBeUndefined();
});

test("the command in a report reproduces the counterexample", async () => {
  const [drops] = controls;
  const plan = { protocol: "anthropic", runs: 2000, seed, alter: drops?.alter } as const;
  const { counterexample } = await fuzz(plan);
  if (counterexample === undefined) throw new Error("The fuzzer did not find the dropped call.");
  const report = formatCounterexample("anthropic", counterexample);
  expect(report).toContain(
    `pnpm fuzz --protocol anthropic --seed ${seed} --path ${counterexample.path}`,
  );
  expect(report).toMatch(/data: ?{.*"message":{"id"/);
  const again = await fuzz({ ...plan, path: counterexample.path });
  expect(again.counterexample?.broken).toEqual(counterexample.broken);
  expect(again.counterexample?.arrived.bytes).toEqual(counterexample.arrived.bytes);
});

test("a summary counts the replies", async () => {
  const result = await fuzz({ protocol: "gemini", runs: 50, seed });
  expect(formatSummary("gemini", result)).toMatch(/^gemini: 50 replies in [\d.]+ s/);
});

test("a time limit ends a run", async () => {
  const result = await fuzz({ protocol: "gemini", runs: 1_000_000_000, seed, seconds: 0.1 });
  expect(result.counterexample).toBeUndefined();
  expect(result.tally.replies).toBeGreaterThan(0);
});
