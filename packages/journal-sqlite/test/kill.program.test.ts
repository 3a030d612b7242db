import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { type ToolResultBlock, validateHistory } from "@fullstop/core";
import { sqliteJournal } from "@fullstop/journal-sqlite";
import { afterAll, expect, test } from "vitest";
import { live, marks, repeatable } from "./agent.ts";

const child = fileURLToPath(new URL("./child.ts", import.meta.url));
/** A compile cache for all processes, which makes them three times as fast. */
const cache = mkdtempSync(join(tmpdir(), "compiled-"));
afterAll(() => rmSync(cache, { recursive: true }));

async function liveUntil(folder: string, point: number): Promise<NodeJS.Signals | null> {
  const running = spawn(
    process.execPath,
    ["--conditions=@fullstop/source", "--no-warnings", child, folder, String(point)],
    { stdio: "inherit", env: { ...process.env, NODE_COMPILE_CACHE: cache } },
  );
  const [code, signal] = (await once(running, "exit")) as [number | null, NodeJS.Signals | null];
  if (signal === null) expect(code).toBe(0);
  return signal;
}

const keys: Readonly<Record<string, string>> = {
  "r/1/1": "pay 1",
  "r/1/2": "put 1",
  "r/1/3": "slow 1",
  "r/2/1": "pay 2",
};
/** The calls that ended according to the file, and those that only began. */
function callsIn(folder: string) {
  const path = join(folder, "runs.db");
  if (!existsSync(path)) return { ended: [], doubted: [] };
  const database = new DatabaseSync(path);
  try {
    const isMade = database.prepare("select 1 from sqlite_schema").get() !== undefined;
    const rows = isMade
      ? database.prepare("select key, json from steps where kind = 'tool' order by key").all()
      : [];
    const marksOf = (isEnded: boolean): readonly string[] =>
      rows
        .filter(({ json }) => (json !== null) === isEnded)
        .map(({ key }) => keys[String(key)] ?? "");
    return { ended: marksOf(true), doubted: marksOf(false) };
  } finally {
    database.close();
  }
}
const world = (folder: string): readonly string[] =>
  existsSync(join(folder, "world"))
    ? readFileSync(join(folder, "world"), "utf8").split("\n").slice(0, -1)
    : [];

interface Killed {
  readonly isKilled: boolean;
  readonly doubts: number;
}
/** Kills a run at this point, resumes it, and checks the result. */
async function killedAt(point: number): Promise<Killed> {
  const folder = mkdtempSync(join(tmpdir(), "killed-"));
  try {
    const isKilled = (await liveUntil(folder, point)) === "SIGKILL";
    const { ended, doubted } = callsIn(folder);
    const before = world(folder);

    const outcome = await live(folder);
    const results = outcome.messages.flatMap((message): readonly ToolResultBlock[] =>
      message.role === "tool" ? message.content : [],
    );
    const after = world(folder).slice(before.length);

    expect(outcome).toMatchObject({ status: "done", text: "Done.", turns: 3 });
    expect(validateHistory(outcome.messages)).toEqual([]);
    for (const mark of [...ended, ...doubted]) expect(after).not.toContain(`begin ${mark}`);
    expect(results.map(({ content }) => String(content))).toEqual(
      marks.map((mark) =>
        doubted.includes(mark) ? expect.stringContaining("outcome is unknown") : `did ${mark}`,
      ),
    );
    for (const mark of marks) {
      const times = world(folder).filter((line) => line === `begin ${mark}`).length;
      if (mark !== repeatable && !doubted.includes(mark)) expect([mark, times]).toEqual([mark, 1]);
      else expect(times).toBeLessThanOrEqual(mark === repeatable ? 2 : 1);
    }
    await using journal = sqliteJournal(join(folder, "runs.db"));
    expect(await journal.listRuns()).toMatchObject([{ runId: "r", status: "done" }]);
    return { isKilled, doubts: doubted.length };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("a run that is killed at any point continues: no finished call runs again, and a running one is in doubt", async () => {
  const found: Killed[] = [];
  for (let point = 1; found.every(({ isKilled }) => isKilled); point += 2)
    found.push(...(await Promise.all([killedAt(point), killedAt(point + 1)])));
  expect(found.filter(({ isKilled }) => isKilled).length).toBeGreaterThanOrEqual(40);
  expect(found.filter(({ doubts }) => doubts > 0).length).toBeGreaterThanOrEqual(10);
  expect(found.some(({ doubts }) => doubts > 1)).toBe(true);
});
