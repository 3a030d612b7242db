import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { validateHistory } from "@fullstop/core";
import type { ToolResultBlock } from "@fullstop/loop";
import { afterAll, expect, test, vi } from "vitest";
import { live, type Place } from "./agent.ts";
import { startDatabase } from "./database.ts";

const database = await startDatabase();
const pool = database.pool();
const folder = mkdtempSync(join(tmpdir(), "killed-"));
afterAll(() => rmSync(folder, { recursive: true }));
const child = fileURLToPath(new URL("./child.ts", import.meta.url));

/**
 * Runs the agent in another process up to this point. Resolves with whether it was killed there. The
 * server may still work on the last statement of a process that was killed, so this waits until the
 * server has closed its connections.
 */
async function liveUntil({ url, runId, world }: Place, point: number): Promise<boolean> {
  const named = new URL(url);
  named.searchParams.set("application_name", runId);
  const flags = ["--conditions=@fullstop/source", child, named.href, runId, world, String(point)];
  const running = spawn(process.execPath, flags, {
    stdio: "inherit",
    env: { ...process.env, NODE_COMPILE_CACHE: join(folder, "compiled") },
  });
  const [code, signal] = await once(running, "exit");
  if (signal === null) expect(code).toBe(0);
  await vi.waitFor(async () => {
    const open = "select pid from pg_stat_activity where application_name = $1";
    expect((await pool.query(open, [runId])).rows).toEqual([]);
  }, 30_000);
  return signal === "SIGKILL";
}

const markOf: Readonly<Record<string, string>> = { "1/1": "a", "1/2": "b", "1/3": "c", "2/1": "d" };
/** The tools that ended according to the table, and those that only began. */
async function toolsOf(runId: string) {
  const { rows } = await pool.query<{ readonly mark: string; readonly ended: boolean }>(
    `select substr(key, length(run_id) + 2) as mark, json is not null as ended
     from fullstop.journal_steps where run_id = $1 and kind = 'tool'`,
    [runId],
  );
  const marks = (ended: boolean) =>
    rows.filter((row) => row.ended === ended).map(({ mark }) => markOf[mark] ?? mark);
  return { ended: marks(true), doubted: marks(false) };
}

/** Does what time does. */
const endLease = (runId: string) =>
  pool.query(
    "update fullstop.journal_runs set lease_until = now() where run_id = $1 and lease_until is not null",
    [runId],
  );

/** Kills a run at this point, resumes it in this process, and checks the result. */
async function killedAt(point: number) {
  const place = { url: database.url, runId: `run-${point}`, world: join(folder, `world-${point}`) };
  const world = () => readFileSync(place.world, "utf8").split("\n").slice(0, -1);
  writeFileSync(place.world, "");
  const killed = await liveUntil(place, point);
  const { ended, doubted } = await toolsOf(place.runId);
  const before = world();
  await endLease(place.runId);

  const outcome = await live(place);
  const after = world().slice(before.length);
  const results = outcome.messages
    .flatMap((message): readonly ToolResultBlock[] =>
      message.role === "tool" ? message.content : [],
    )
    .map(({ content }) => String(content));
  expect(outcome).toMatchObject({ status: "done", text: "Done.", turns: 3 });
  expect(validateHistory(outcome.messages)).toEqual([]);
  for (const mark of [...ended, ...doubted]) expect(after).not.toContain(`begin ${mark}`);
  for (const [position, mark] of ["a", "b", "c", "d"].entries()) {
    const isDoubted = doubted.includes(mark);
    expect(results[position]).toContain(isDoubted ? "outcome is unknown" : `wrote ${mark}`);
    if (mark === "b") continue;
    const times = world().filter((line) => line === `begin ${mark}`).length;
    expect(times).toBeLessThanOrEqual(1);
    if (!isDoubted) expect(times).toBe(1);
  }
  const { rows } = await pool.query(
    "select status, lease_until from fullstop.journal_runs where run_id = $1",
    [place.runId],
  );
  expect(rows).toEqual([{ status: "done", lease_until: null }]);
  return { killed, doubted: doubted.length };
}

test("a run that is killed at any point continues in another process: no finished tool runs again, and a running one is in doubt", async () => {
  let doubts = 0;
  let points = 0;
  for (let isAlive = false; !isAlive; ) {
    const numbers = [1, 2, 3, 4, 5, 6].map((number) => points + number);
    for (const { killed, doubted } of await Promise.all(numbers.map(killedAt))) {
      if (killed) points++;
      else isAlive = true;
      doubts += doubted;
    }
  }
  expect(points).toBeGreaterThanOrEqual(30);
  expect(doubts).toBeGreaterThanOrEqual(10);
});
