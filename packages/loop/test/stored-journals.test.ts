import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { goOn, type StoredJournal, storedRuns } from "./stored-run.ts";

// `journals/` is what the loop wrote on 25 November 2026. Do not write these files anew: services
// hold such journals, and their runs must go on with every later release.

const runs = Object.entries(storedRuns);
/** The first line of a file has what the run came to, the others are the journal. */
function read(name: string): StoredJournal {
  const text = readFileSync(new URL(`journals/${name}.jsonl`, import.meta.url), "utf8");
  const [end, ...lines] = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return { ...end, lines };
}
const keysOf = ({ lines }: Pick<StoredJournal, "lines">): readonly string[] =>
  lines.map(({ key, begun }) => (begun ? `${key} begun` : key)).toSorted();

test.each(runs)(
  "the stored run %s is replayed: no request, no call, no new step",
  async (name, run) => {
    const stored = read(name);
    const { outcome, lines, ran } = await goOn({ ...run, script: [], inner: [] }, stored);
    expect(outcome.messages).toEqual(stored.messages);
    expect(ran).toEqual([]);
    expect(lines).toEqual(stored.lines);
  },
);

/** A call had started here that was not in doubt when the journal was stored: other keys follow. */
function hasOwnDoubt(lines: StoredJournal["lines"], stored: StoredJournal): boolean {
  const ended = new Set(lines.filter(({ begun }) => !begun).map(({ key }) => key));
  return lines.some(
    ({ key, begun }) =>
      begun && !ended.has(key) && !stored.lines.some((line) => line.key === `${key}/settlement`),
  );
}

test.each(runs)(
  "the stored run %s goes on after each of its steps, with the same keys",
  async (name, run) => {
    const stored = read(name);
    const kept = stored.lines.map((_, count) => stored.lines.slice(0, count));
    for (const lines of kept.filter((some) => !hasOwnDoubt(some, stored))) {
      const again = await goOn(run, { ...stored, lines });
      expect(again.outcome.messages).toEqual(stored.messages);
      expect(keysOf(again)).toEqual(keysOf(stored));
    }
  },
);

test.each(["steps", "doubts", "inputs"])(
  "a step of the stored run %s that is JSON of another shape is an error that names it",
  async (name) => {
    const { lines, ...stored } = read(name);
    const run = { ...storedRuns[name], script: [] };
    for (const [position, { key, kind = "begun" }] of lines.entries())
      for (const value of ["begun", "approval"].includes(kind) ? [] : [null, 1, {}, [1]])
        await expect(
          goOn(run, { ...stored, lines: lines.with(position, { key, kind, value }) }),
        ).rejects.toMatchObject({
          kind: "damaged",
          message: expect.stringContaining(`What the journal holds for the step "${key}" is not`),
        });
  },
);

test("the stored runs have every kind of key", () => {
  const shapes = runs.flatMap(([name]) =>
    read(name).lines.map(({ key, kind = "begun" }) => `${key.replace(/\d+/g, "N")} ${kind}`),
  );
  expect([...new Set(shapes)].toSorted()).toEqual([
    "r run",
    "r/N/N begun",
    "r/N/N tool",
    "r/N/N/N/N begun",
    "r/N/N/N/N tool",
    "r/N/N/N/N/approval approval",
    "r/N/N/N/N/asked/N approval",
    "r/N/N/N/model model",
    "r/N/N/approval approval",
    "r/N/N/asked/N approval",
    "r/N/N/attempt/N begun",
    "r/N/N/attempt/N tool",
    "r/N/N/attempt/N/input input",
    "r/N/N/input input",
    "r/N/N/run run",
    "r/N/N/settlement settlement",
    "r/N/before before-turn",
    "r/N/compaction compaction",
    "r/N/model model",
    "r/N/model/N model",
  ]);
});
