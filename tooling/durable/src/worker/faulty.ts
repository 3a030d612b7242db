import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Journal, RecordedStep, RunLease } from "@fullstop/loop/journal";
import type { FaultName } from "../spec.ts";

/** While this file exists, nothing can be written. */
export const blockedName = "blocked";

interface FaultyLine {
  readonly key: string;
  readonly json?: string;
}

/**
 * A journal in a file that anybody may write. Each fault is one that a journal of one's own may
 * have: no fence, no record of the beginning as in an engine that repeats steps, a result that is
 * acknowledged before it is written, steps that are found by their order, a write that waits for ever,
 * or a file that others no longer find.
 */
export function faultyJournal(fault: FaultName, folder: string): Journal {
  return {
    open: async (runId) => createLease(fault, join(folder, `${runId}.faulty.jsonl`)),
  };
}

function createLease(fault: FaultName, path: string): RunLease {
  const lines = readLines(path);
  const append = (line: FaultyLine): void => appendFileSync(path, `${JSON.stringify(line)}\n`);
  const untilFree = async (): Promise<void> => {
    while (existsSync(join(dirname(path), blockedName)))
      await new Promise((resolve) => setTimeout(resolve, 20));
  };
  let unread = 0;
  const ended = lines.filter(({ json }) => json !== undefined);
  const read = (key: string): RecordedStep | undefined => {
    const found =
      fault === "by-ordinal" ? ended[unread++] : ended.findLast((line) => line.key === key);
    if (found?.json !== undefined) return { state: "ended", json: found.json };
    return lines.some((line) => line.key === key) ? { state: "begun" } : undefined;
  };
  return {
    lost: new AbortController().signal,
    read: async (key) => read(key),
    begin: async ({ key }) => {
      await untilFree();
      if (fault !== "forgets-begin") append({ key });
    },
    end: async ({ key }, json) => {
      await untilFree();
      if (fault !== "ends-too-early") append({ key, json });
      else setTimeout(() => append({ key, json }), 100);
    },
    close: async () => {
      if (fault === "ends-too-early") await new Promise((resolve) => setTimeout(resolve, 150));
    },
  };
}

function readLines(path: string): readonly FaultyLine[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as FaultyLine);
}
