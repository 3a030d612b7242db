import { copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { openJournal, path, record, useNewFolders } from "./journal-folder.ts";

useNewFolders();

const removeAll = (): void => {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
};
const changes: Readonly<Record<string, () => void>> = {
  deleted: removeAll,
  "deleted without its log": () => rmSync(path),
  renamed: () => renameSync(path, `${path}.1`),
  replaced: () => {
    copyFileSync(path, `${path}.copy`);
    renameSync(`${path}.copy`, path);
  },
};
const gone = { name: "JournalError", kind: "deleted" };

test.skipIf(process.platform === "win32").each(Object.keys(changes))(
  "a run whose file was %s ends as deleted at its next step",
  async (change) => {
    const journal = openJournal();
    const lease = await journal.open("r");
    await record(lease, "r/1/1");
    changes[change]?.();
    await expect(lease.begin({ key: "r/1/2", kind: "tool" })).rejects.toMatchObject({
      ...gone,
      message: `The journal ${path} was deleted, renamed or replaced while a run used it. The run was stopped. Find out what its calls did before you start it again: what was recorded is gone.`,
    });
    expect(lease.lost.reason).toMatchObject(gone);
    await lease.close();
  },
);

test.skipIf(process.platform === "win32")(
  "a run whose write-ahead log was deleted ends as deleted",
  async () => {
    const lease = await openJournal().open("r");
    rmSync(`${path}-wal`);
    await expect(lease.begin({ key: "r/1/1", kind: "tool" })).rejects.toMatchObject(gone);
  },
);

test.skipIf(process.platform === "win32")(
  "a run notices by itself that its file was deleted, and the end of a run is not stored",
  async () => {
    const lease = await openJournal({ leaseMs: 300 }).open("r");
    removeAll();
    await new Promise((resolve) => lease.lost.addEventListener("abort", resolve));
    expect(lease.lost.reason).toMatchObject(gone);
    const other = await openJournal().open("other");
    removeAll();
    await expect(other.close({ status: "done" })).rejects.toMatchObject(gone);
  },
);

test.skipIf(process.platform === "win32")(
  "the journal goes on in the new file, which keeps its write-ahead log",
  async () => {
    const journal = openJournal();
    const lost = await journal.open("r");
    removeAll();
    await expect(lost.begin({ key: "r/1/1", kind: "tool" })).rejects.toMatchObject(gone);
    const next = await journal.open("r");
    await record(next, "r/1/1");
    await lost.close();
    expect(existsSync(`${path}-wal`)).toBe(true);
    await record(next, "r/1/2");
    await next.close({ status: "done" });
    await journal.close();
    const again = await openJournal().open("r");
    expect(await again.read("r/1/2")).toMatchObject({ state: "ended" });
    await again.close();
  },
);

test("a file whose tables a later release changed says so, and stays as it is", async () => {
  const journal = openJournal();
  await (await journal.open("r")).close();
  await journal.close();
  const later = new DatabaseSync(path);
  later.exec("alter table steps rename column json to body; pragma user_version = 7");
  later.close();
  await expect(openJournal().open("r")).rejects.toMatchObject({
    kind: "damaged",
    message: `The journal ${path} has tables of version 7, which a later release wrote, and this release knows version 1. Update @fullstop/journal-sqlite. The file was not changed.`,
  });
});

test("a file that another process has locked ends a write, and the error names the file and the reason", async () => {
  const lease = await openJournal({ leaseMs: 500 }).open("r");
  const other = new DatabaseSync(path);
  other.exec("begin immediate");
  await expect(lease.begin({ key: "r/1/1", kind: "tool" })).rejects.toMatchObject({
    kind: "unavailable",
    message: expect.stringContaining(
      `The journal ${path} cannot be used: database is locked. Another process has locked it, and may be paused.`,
    ),
    cause: { cause: { message: "database is locked" } },
  });
  other.exec("rollback");
  other.close();
  await lease.close();
});
