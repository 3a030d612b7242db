import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sqliteJournal } from "@fullstop/journal-sqlite";
import { afterEach, expect, test } from "vitest";
import { folder, openJournal, path, record, useNewFolders } from "./journal-folder.ts";
import { endPrograms, startProgram } from "./programs.ts";

useNewFolders();

afterEach(endPrograms);

test.each(["Dear diary,\n", '{"journal":"fullstop","version":1}\n'.repeat(500)])(
  "a file that is not a database is refused and stays as it is",
  async (text) => {
    writeFileSync(path, text);
    await expect(openJournal().open("r")).rejects.toMatchObject({
      name: "JournalError",
      kind: "damaged",
      message: `The journal ${path} cannot be used: file is not a database. Restore a copy, or use another file.`,
    });
    expect(readFileSync(path, "utf8")).toBe(text);
    expect(readdirSync(folder)).toEqual(["runs.db"]);
  },
);

test("a database of another program is refused and stays as it is", async () => {
  const other = new DatabaseSync(path);
  other.exec("create table runs (mine text); insert into runs values ('kept')");
  other.close();
  const before = readFileSync(path);
  await expect(openJournal().listRuns()).rejects.toMatchObject({
    kind: "damaged",
    message: `${path} is another SQLite database, not a journal. It was not changed. Use another file.`,
  });
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(readdirSync(folder)).toEqual(["runs.db"]);
});

test("an empty file becomes a journal, and one of a later release is used", async () => {
  writeFileSync(path, "");
  const lease = await openJournal().open("r");
  await record(lease, "a");
  await lease.close();
  const later = new DatabaseSync(path);
  later.exec("alter table steps add column later text; pragma user_version = 7");
  later.close();
  const next = await openJournal().open("r");
  expect(await next.read("a")).toEqual({ state: "ended", json: '"did a"' });
  await record(next, "b");
  await next.close();
});

test("damaged pages are an error", async () => {
  const journal = sqliteJournal(path);
  const lease = await journal.open("r");
  for (let at = 0; at < 50; at++) await record(lease, `r/${at}`, "x".repeat(5000));
  await lease.close();
  await journal.close();
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0xff, 4096));
  await expect(openJournal().open("r")).rejects.toMatchObject({
    kind: "damaged",
    message: expect.stringContaining("Restore a copy, or use another file."),
  });
});

test("a file that cannot be opened is an error that names it, and the journal works afterwards", async () => {
  const nowhere = join(folder, "nowhere", "runs.db");
  const journal = sqliteJournal(nowhere);
  await expect(journal.open("r")).rejects.toMatchObject({
    kind: "unavailable",
    message: `The journal ${nowhere} cannot be used: unable to open database file. Its folder must exist and be writable for this process.`,
  });
  mkdirSync(join(folder, "nowhere"));
  await (await journal.open("r")).close();
  await journal.close();
});

/** Opens a run without the rights of the administrator. */
const asUser = `
  if (process.getuid() === 0) process.seteuid(65534);
  await sqliteJournal(path).open("r").catch(({ kind, message }) => say({ kind, message }));
`;

test.skipIf(process.platform === "win32")(
  "a file that cannot be written is an error that says so",
  async () => {
    const journal = sqliteJournal(path);
    await (await journal.open("r")).close();
    await journal.close();
    chmodSync(folder, 0o755);
    chmodSync(path, 0o444);
    const program = startProgram(asUser, [path]);
    expect(await program.next()).toEqual({
      kind: "unavailable",
      message: `The journal ${path} cannot be used: attempt to write a readonly database. The file and its folder must be writable for this process.`,
    });
    expect(await program.ended).toBe(0);
  },
);

/** Writes steps until one is refused. */
const filler = `
  const journal = sqliteJournal(path, { leaseMs: 500 });
  const lease = await journal.open("r");
  let written = 0;
  try {
    for (; written < 1000; written++)
      await lease.end({ key: "r/" + written, kind: "tool" }, JSON.stringify("x".repeat(20_000)));
  } catch ({ kind, message }) {
    say({ written, kind, message });
  }
  process.exit();
`;

test.skipIf(process.platform === "win32")(
  "when the file cannot grow the run ends with an error, and what was recorded counts",
  async () => {
    const program = startProgram(filler, [path], "ulimit -f 1000");
    const { written, kind, message } = (await program.next()) as {
      readonly written: number;
      readonly kind: string;
      readonly message: string;
    };
    expect(await program.ended).toBe(0);
    expect(kind).toBe("unavailable");
    expect(message).toMatch(/start again: what was recorded counts\.$/);
    expect(written).toBeGreaterThan(5);
    const lease = await openJournal().open("r");
    for (let at = 0; at < written; at++)
      expect(await lease.read(`r/${at}`)).toMatchObject({ state: "ended" });
    await record(lease, "r/later");
    await lease.close();
  },
);
