import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileJournal } from "@fullstop/journal-file";
import type { RunLease } from "@fullstop/loop/journal";
import { afterEach, beforeEach } from "vitest";

/** The folder of this test. */
export let folder: string;
/** The journal in it. */
export let path: string;

/** Each test of the file that calls this has a new folder. */
export function useNewFolders(): void {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "journal-"));
    path = join(folder, "run.jsonl");
  });
  afterEach(() => rmSync(folder, { recursive: true }));
}

/** Records a tool step with this value. */
export async function record(
  lease: RunLease,
  key: string,
  value: unknown = `did ${key}`,
): Promise<void> {
  await lease.begin({ key, kind: "tool" });
  await lease.end({ key, kind: "tool" }, JSON.stringify(value));
}
/** The value of a recorded step, or its state. */
export async function recalled(lease: RunLease, key: string): Promise<unknown> {
  const found = await lease.read(key);
  return found?.state === "ended" ? JSON.parse(found.json) : found?.state;
}

/** Opens the run `r` of the journal, calls `work` and gives the lease back. */
export async function during<T>(work: (lease: RunLease) => T | Promise<T>): Promise<T> {
  const lease = await fileJournal(path).open("r");
  try {
    return await work(lease);
  } finally {
    await lease.close();
  }
}
