import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { validateHistory } from "@fullstop/core";
import type { ToolResultBlock } from "@fullstop/loop";
import { afterAll, beforeAll, expect, test } from "vitest";
import { live, repeatable } from "./agent.ts";

const child = fileURLToPath(new URL("./child.ts", import.meta.url));
/** A compile cache for all processes, which makes them three times as fast. */
const cache = mkdtempSync(join(tmpdir(), "compiled-"));
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "first-"));
  await liveUntil(folder, 0);
  rmSync(folder, { recursive: true });
});
afterAll(() => rmSync(cache, { recursive: true }));

/**
 * Runs the agent in a separate process up to this point. Resolves with the signal that ended it.
 */
async function liveUntil(folder: string, point: number): Promise<NodeJS.Signals | null> {
  const running = spawn(
    process.execPath,
    ["--conditions=@fullstop/source", child, folder, String(point)],
    {
      stdio: "inherit",
      env: { ...process.env, NODE_COMPILE_CACHE: cache },
    },
  );
  const [code, signal] = (await once(running, "exit")) as [number | null, NodeJS.Signals | null];
  if (signal === null) expect(code).toBe(0);
  return signal;
}

interface Line {
  readonly key: string;
  readonly kind: string;
  readonly begun?: true;
}
const marks = [[], ["a", "b", "c"], ["d", "e"], ["f", "g", "h"]];
const markOf = ({ key }: Line): string => {
  const [, turn, position] = key.split("/").map(Number);
  return marks[turn ?? 0]?.[(position ?? 0) - 1] ?? key;
};
/** The tools that ended according to the journal, and those that only began. */
function toolsIn(folder: string) {
  const text = existsSync(join(folder, "run.jsonl"))
    ? readFileSync(join(folder, "run.jsonl"), "utf8")
    : "";
  const whole = text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .slice(1, -1);
  const tools = whole.map((line) => JSON.parse(line) as Line).filter(({ kind }) => kind === "tool");
  const ended = tools.filter(({ begun }) => !begun).map(markOf);
  return {
    ended,
    doubted: tools
      .filter(({ begun }) => begun)
      .map(markOf)
      .filter((mark) => !ended.includes(mark)),
  };
}
const world = (folder: string): readonly string[] =>
  existsSync(join(folder, "world"))
    ? readFileSync(join(folder, "world"), "utf8").split("\n").slice(0, -1)
    : [];
const count = (lines: readonly string[], line: string) =>
  lines.filter((one) => one === line).length;

/** Kills a run at this point, resumes it, and checks the result. */
async function killedAt(
  point: number,
): Promise<{ readonly killed: boolean; readonly doubted: number }> {
  const folder = mkdtempSync(join(tmpdir(), "killed-"));
  try {
    const killed = (await liveUntil(folder, point)) === "SIGKILL";
    const { ended, doubted } = toolsIn(folder);
    const before = world(folder);

    const outcome = await live(folder);
    const results = outcome.messages.flatMap((message): readonly ToolResultBlock[] =>
      message.role === "tool" ? message.content : [],
    );
    const resultOf = new Map(
      results.map(({ content }, at) => [marks.flat()[at] ?? "", String(content)]),
    );
    const after = world(folder).slice(before.length);

    expect(outcome).toMatchObject({ status: "done", text: "Done.", turns: 4 });
    expect(validateHistory(outcome.messages)).toEqual([]);
    expect(results).toHaveLength(8);
    for (const mark of ended) expect(after).not.toContain(`begin ${mark}`);
    for (const mark of doubted) expect(after).not.toContain(`begin ${mark}`);
    expect(
      [...resultOf].flatMap(([mark, content]) =>
        content.includes("outcome is unknown") ? [mark] : [],
      ),
    ).toEqual(doubted.toSorted());
    for (const mark of ["a", "b", "d", "e", "f", "g"]) {
      if (doubted.includes(mark)) continue;
      expect(resultOf.get(mark)).toBe(`wrote ${mark}`);
      const times = count(world(folder), `end ${mark}`);
      if (repeatable.has(mark)) expect(times).toBeGreaterThanOrEqual(1);
      else expect([mark, times, count(world(folder), `begin ${mark}`)]).toEqual([mark, 1, 1]);
    }
    expect(resultOf.get("c")).toContain("No tool is named");
    expect(resultOf.get("h")).toContain("it was denied");
    expect(world(folder).join()).not.toMatch(/[ch]\b/);
    expect(readdirSync(folder).toSorted()).toEqual(["run.jsonl", "world"]);
    expect((await live(folder)).messages).toEqual(outcome.messages);
    return { killed, doubted: doubted.length };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("a run that is killed at any point continues: no finished tool runs again, a running one is in doubt, and the conversation is complete", async () => {
  let points = 0;
  let doubts = 0;
  for (let alive = false; !alive; ) {
    const two = await Promise.all([killedAt(points + 1), killedAt(points + 2)]);
    for (const { killed, doubted } of two) {
      if (killed) points++;
      else alive = true;
      if (doubted > 0) doubts++;
    }
  }
  expect(points).toBeGreaterThanOrEqual(50);
  expect(doubts).toBeGreaterThanOrEqual(15);
});

test("a living process holds a lock, and a killed one does not", async () => {
  const folder = mkdtempSync(join(tmpdir(), "locked-"));
  try {
    expect(await liveUntil(folder, 3)).toBe("SIGKILL");
    expect(readdirSync(folder).some((name) => name.endsWith(".lock"))).toBe(true);
    const resumed = live(folder, () =>
      expect(readdirSync(folder).filter((name) => name.endsWith(".lock"))).toHaveLength(1),
    );
    expect((await resumed).status).toBe("done");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
