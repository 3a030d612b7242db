import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { validateHistory } from "@fullstop/core";
import type { RunEvent } from "@fullstop/loop";
import { afterAll, beforeAll, expect, test } from "vitest";
import { liveNested, marks, replyCount } from "./sub-agent-run.ts";

const child = fileURLToPath(new URL("./sub-agent-child.ts", import.meta.url));
/** A compile cache for all processes, which makes them three times as fast. */
const cache = mkdtempSync(join(tmpdir(), "compiled-"));
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "first-"));
  expect(await isKilledAt(folder, 0)).toBe(false);
  rmSync(folder, { recursive: true });
});
afterAll(() => rmSync(cache, { recursive: true }));

/** Runs the agents in a separate process that dies at this point, if it gets there. */
async function isKilledAt(folder: string, point: number): Promise<boolean> {
  const running = spawn(
    process.execPath,
    ["--conditions=@fullstop/source", child, folder, String(point)],
    { stdio: "inherit", env: { ...process.env, NODE_COMPILE_CACHE: cache } },
  );
  const [code, signal] = (await once(running, "exit")) as [number | null, NodeJS.Signals | null];
  if (signal === null) expect(code).toBe(0);
  return signal === "SIGKILL";
}

interface Line {
  readonly key: string;
  readonly kind: string;
  readonly begun?: true;
}
const linesOf = (folder: string, file: string): readonly string[] => {
  const path = join(folder, file);
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
};
/** What the journal says: steps that ended, calls that only began, and calls of agents that began. */
function stateOf(folder: string) {
  const lines = linesOf(folder, "run.jsonl")
    .slice(1)
    .map((line) => JSON.parse(line) as Line);
  const ended = new Set(lines.filter(({ begun }) => !begun).map(({ key }) => key));
  const begun = lines.filter((line) => line.begun).map(({ key }) => key);
  const marksOf = (keys: readonly string[]) => keys.flatMap((key) => marks[key] ?? []);
  return {
    endedKeys: ended,
    ended: marksOf([...ended]),
    doubted: marksOf(begun.filter((key) => !ended.has(key))),
    begunAgents: marksOf(begun).filter((mark) => mark === "R" || mark === "D"),
  };
}
/** The key of each request, by its line in `world`. */
const requests: Readonly<Record<string, string>> = {
  "ask root 1": "r/1/model",
  "ask root 2": "r/2/model",
  "ask root 3": "r/3/model",
  "ask research 1": "r/1/2/1/model",
  "ask research 2": "r/1/2/2/model",
  "ask research 3": "r/1/2/3/model",
  "ask deep 1": "r/1/2/2/1/1/model",
  "ask deep 2": "r/1/2/2/1/2/model",
};

interface Resumed {
  readonly killed: boolean;
  readonly doubted: readonly string[];
}
async function resumedAfter(point: number): Promise<Resumed> {
  const folder = mkdtempSync(join(tmpdir(), "killed-"));
  try {
    const killed = await isKilledAt(folder, point);
    const { ended, endedKeys, doubted, begunAgents } = stateOf(folder);
    const before = linesOf(folder, "world").length;
    const events: RunEvent[] = [];
    const outcome = await liveNested(folder, undefined, (event) => void events.push(event));
    const world = linesOf(folder, "world");
    const after = world.slice(before);

    expect(outcome).toMatchObject({ status: "done", text: "Done.", turns: 3 });
    expect(outcome.usage).toEqual({ input: 100 * replyCount, output: 20 * replyCount });
    for (const event of events)
      if (event.type === "end") expect(validateHistory(event.outcome.messages)).toEqual([]);
    for (const mark of [...ended, ...doubted]) expect(after).not.toContain(`begin ${mark}`);
    for (const [line, key] of Object.entries(requests))
      if (endedKeys.has(key)) expect(after).not.toContain(line);
    const unknown = events.flatMap((event) =>
      event.type === "tool-result" && String(event.result.content).includes("outcome is unknown")
        ? [(event.call.input as { readonly mark: string }).mark]
        : [],
    );
    expect(unknown.toSorted()).toEqual(doubted.toSorted());
    expect(begunAgents).toEqual([]);
    for (const mark of ["a", "b", "d", "e", "f"].filter((one) => !doubted.includes(one)))
      for (const line of [`begin ${mark}`, `end ${mark}`])
        expect([line, world.filter((one) => one === line)]).toEqual([line, [line]]);
    expect(world).toContain("end c");

    expect((await liveNested(folder)).messages).toEqual(outcome.messages);
    expect(linesOf(folder, "world")).toEqual(world);
    return { killed, doubted };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("a run with sub-agents that is killed at any point continues: what ended does not run again, and a running call is in doubt where it is", async () => {
  let points = 0;
  const doubts: string[] = [];
  for (let alive = false; !alive; ) {
    const two = await Promise.all([resumedAfter(points + 1), resumedAfter(points + 2)]);
    for (const { killed, doubted } of two) {
      if (killed) points++;
      else alive = true;
      doubts.push(...doubted);
    }
  }
  expect(points).toBeGreaterThanOrEqual(60);
  expect([...new Set(doubts)].toSorted()).toEqual(["a", "b", "d", "e", "f"]);
});
