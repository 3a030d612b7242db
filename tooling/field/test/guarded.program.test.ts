import type { Status } from "@fullstop/conformance";
import { agentClauses, type Field, type MeasuredSystem, readField } from "@tooling/docs/field";
import { guardedText, harmsOf, newFailures, readGuarded } from "@tooling/docs/guarded";
import { beforeAll, describe, expect, it } from "vitest";
import { guardGateway } from "../src/guard.ts";
import { measureSystem } from "../src/measure.ts";
import { mergeResults } from "../src/results.ts";
import { systems } from "../src/systems.ts";

const only = "stop.no-word";
const naive = systems.filter(({ name }) => name === "naive");

describe("a system behind the gateway", () => {
  let alone: Field;
  let guarded: Field;
  const measureNaive = async (through?: typeof guardGateway): Promise<Field> => {
    const measured: MeasuredSystem[] = [];
    for (const system of naive) measured.push(await measureSystem(system, { only, through }));
    return mergeResults(undefined, measured, "1.2.3");
  };
  const statusIn = ({ systems: [system] }: Field): Status | undefined =>
    system?.subjects[0]?.findings[only]?.status;
  beforeAll(async () => {
    alone = await measureNaive();
    guarded = await measureNaive(guardGateway);
  });

  it("does not run what it runs alone", () => {
    expect([statusIn(alone), statusIn(guarded)]).toEqual(["broken", "kept"]);
  });

  it("is reported with the command that repeats the measurement", () => {
    expect(guarded.systems[0]?.subjects[0]?.command).toBe(
      'pnpm conformance agent --through "node --conditions=@fullstop/source apps/cli/src/main.ts gateway --port {port} --to openai={upstream} --no-reask" --through-path /openai -- node packages/conformance-cli/examples/naive/agent.mjs',
    );
  });

  it("has a row in the table, and a failure behind the gateway alone is named", () => {
    expect(guardedText(alone, guarded)).toContain(
      "| Naive agent | – | 2 / 2 → 0 / 2 | not run → not run | not run → not run |",
    );
    expect(guardedText(alone, guarded)).toContain("No check fails behind the gateway");
    expect(guardedText(alone, guarded)).toContain("Nothing of the table fails behind it.");
    expect(guardedText(guarded, alone)).toContain(
      `What fails only behind the gateway:\n\n- Naive agent, streamed, \`${only}\`: one call under "": \`runs write`,
    );
  });
});

describe("the recorded results", () => {
  const alone = readField();
  const guarded = readGuarded() as Field;

  it("have every configuration of at least fourteen systems", () => {
    const asked = new Set(guarded.systems.map(({ name }) => name));
    const namesIn = ({ systems: all }: Field): readonly string[] =>
      all
        .filter(({ name }) => asked.has(name))
        .flatMap(({ subjects }) => subjects.map(({ name }) => name));
    expect(asked.size).toBeGreaterThanOrEqual(14);
    expect(namesIn(guarded)).toEqual(namesIn(alone));
  });

  it("have commands without a path of the machine, also inside a word", () => {
    const words = [alone, guarded]
      .flatMap(({ systems: all }) => all.flatMap(({ subjects }) => subjects))
      .flatMap(({ command = "" }) => command.split(/[\s:"]+/));
    expect(words.filter((word) => word.startsWith("/") && word !== "/openai")).toEqual([]);
  });

  it("have no call that ran and must not, and nothing that fails only behind the gateway", () => {
    expect(harmsOf(alone).ran.length).toBeGreaterThan(0);
    expect(harmsOf(guarded).ran).toEqual([]);
    const clauses = agentClauses.map(({ id }) => id);
    expect(newFailures(alone, guarded, clauses)).toEqual([]);
  });
});
