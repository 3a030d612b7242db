import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileJournal } from "@fullstop/journal-file";
import { expect, test } from "vitest";
import { folder, path, recalled, record, useNewFolders } from "./journal-folder.ts";

useNewFolders();

const gone = {
  name: "JournalError",
  kind: "deleted",
  message: `The journal PATH was deleted, renamed or replaced while a run used it. The run was stopped. Find out what its calls did before you start it again: what was recorded is gone.`,
};

const changes: Readonly<Record<string, () => void>> = {
  deleted: () => rmSync(path),
  renamed: () => renameSync(path, `${path}.1`),
  replaced: () => {
    copyFileSync(path, `${path}.copy`);
    renameSync(`${path}.copy`, path);
  },
  "deleted with its folder": () => {
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
  },
};

test.skipIf(process.platform === "win32").each(Object.keys(changes))(
  "a run whose file was %s ends as deleted at its next step, and the next start can write",
  async (change) => {
    const journal = fileJournal(path);
    const lease = await journal.open("r");
    await record(lease, "r/1/1");
    changes[change]?.();
    const expected = { ...gone, message: gone.message.replace("PATH", path) };
    await expect(lease.begin({ key: "r/1/2", kind: "tool" })).rejects.toMatchObject(expected);
    expect(lease.lost.reason).toMatchObject(expected);
    await expect(lease.end({ key: "r/1/1", kind: "tool" }, "1")).rejects.toMatchObject(expected);
    await lease.close().catch(() => {});
    const next = await journal.open("r");
    await record(next, "r/1/2");
    expect(await recalled(next, "r/1/2")).toBe("did r/1/2");
    await next.close();
    expect(existsSync(path)).toBe(true);
  },
);

test.skipIf(process.platform === "win32")(
  "a run whose file was deleted after its last step does not end as done",
  async () => {
    const lease = await fileJournal(path).open("r");
    await record(lease, "r/1/1");
    rmSync(path);
    await expect(lease.close({ status: "done" })).rejects.toMatchObject({ kind: "deleted" });
    const next = await fileJournal(path).open("r");
    await next.close();
  },
);

test("a file of a later version is refused with the advice to update, and stays as it is", async () => {
  const later = join(folder, "later.jsonl");
  writeFileSync(later, '{"journal":"fullstop","version":2}\n{"anything":1}\n');
  await expect(fileJournal(later).open("r")).rejects.toMatchObject({
    kind: "damaged",
    message: `${later} is a journal of version 2, which a later release wrote. Update @fullstop/journal-file. The file was not changed.`,
  });
});

test("a file with the line ends of Windows is refused with a sentence that says so", async () => {
  const changed = join(folder, "crlf.jsonl");
  writeFileSync(changed, '{"journal":"fullstop","version":1}\r\n');
  await expect(fileJournal(changed).open("r")).rejects.toMatchObject({
    kind: "damaged",
    message: expect.stringContaining("has the line ends of Windows (CRLF)"),
  });
});
