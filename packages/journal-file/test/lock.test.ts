import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileJournal } from "@fullstop/journal-file";
import { expect, test } from "vitest";
import { during, folder, path, recalled, record, useNewFolders } from "./journal-folder.ts";

useNewFolders();

const programFlags = (program: string) => [
  "--conditions=@fullstop/source",
  "--input-type=module",
  "-e",
  program,
];

const openAt = (file: string) => fileJournal(file).open("r");

test("a second writer is rejected while the first is open, in this process too", async () => {
  const first = await openAt(path);
  await expect(openAt(path)).rejects.toMatchObject({
    name: "JournalError",
    kind: "in-use",
    message: expect.stringContaining(`Another run writes to ${path}.`),
  });
  await record(first, "a");
  await first.close();
  await during(async (lease) => expect(await recalled(lease, "a")).toBe("did a"));
  expect(readdirSync(folder)).toEqual(["run.jsonl"]);
});

test("runs of one journal share its file, and the last one gives it back", async () => {
  const journal = fileJournal(path);
  const [one, two] = await Promise.all([journal.open("one"), journal.open("two")]);
  await Promise.all([record(one, "one/1"), record(two, "two/1")]);
  await one.close();
  await expect(openAt(path)).rejects.toThrow("Another run writes to");
  await record(two, "two/2");
  const third = journal.open("one");
  await two.close();
  expect(await recalled(await third, "one/1")).toBe("did one/1");
  await (await third).close();
  expect(readdirSync(folder)).toEqual(["run.jsonl"]);
  const again = await journal.open("two");
  expect(await recalled(again, "two/2")).toBe("did two/2");
  expect(await recalled(again, "one/1")).toBeUndefined();
  await again.close();
  expect(readdirSync(folder)).toEqual(["run.jsonl"]);
});

test("the same run is open once in a journal, until it is closed", async () => {
  const journal = fileJournal(path);
  const tries = await Promise.allSettled([journal.open("r"), journal.open("r")]);
  expect(tries).toMatchObject([
    { status: "fulfilled" },
    {
      status: "rejected",
      reason: {
        kind: "in-use",
        message: `The run "r" is already open in ${path}. Wait until it has ended, or give each run its own \`journal.runId\`.`,
      },
    },
  ]);
  for (const one of tries) if (one.status === "fulfilled") await one.value.close();
  await (await journal.open("r")).close();
});

test("a run opens after another process has given the file back", async () => {
  const other = await openAt(path);
  const journal = fileJournal(path);
  const tries = await Promise.allSettled([journal.open("one"), journal.open("two")]);
  expect(tries.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await other.close();
  await (await journal.open("one")).close();
});

test("an aborted signal opens nothing", async () => {
  const reason = new Error("stop");
  await expect(fileJournal(path).open("r", AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(readdirSync(folder)).toEqual([]);
});

test("one of many simultaneous writers succeeds", async () => {
  const tries = await Promise.allSettled(Array.from({ length: 20 }, () => openAt(path)));
  const open = tries.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  expect(open).toHaveLength(1);
  for (const lease of open) await lease.close();
  await during((lease) => record(lease, "a"));
});

test("journals with similar names in one folder are independent", async () => {
  const names = ["run.jsonl", "run.jsonl.1", "run", "ru"];
  const leases = await Promise.all(names.map((name) => openAt(join(folder, name))));
  for (const lease of leases) await lease.close();
  expect(readdirSync(folder).toSorted()).toEqual(names.toSorted());
});

test("a lock of another machine is valid, and the error says what to do; a lock of a finished process is not", async () => {
  const foreign = `${path}.1-0-0123abcd-elsewhere.lock`;
  writeFileSync(foreign, "");
  await expect(openAt(path)).rejects.toThrow(`If that is wrong, remove ${foreign}.`);
  rmSync(foreign);
  const held = await openAt(path);
  const [lock = ""] = readdirSync(folder).filter((name) => name.endsWith(".lock"));
  await held.close();
  const gone = lock.replace(/\.\d+-\d+-/, ".999999999-1-").replace(/-[0-9a-f]{8}-/, "-0123abcd-");
  writeFileSync(join(folder, gone), "");
  await during((lease) => record(lease, "a"));
  expect(readdirSync(folder)).toEqual(["run.jsonl"]);
});

test.runIf(process.platform === "linux")(
  "a process with the pid of a dead one has no lock",
  async () => {
    const held = await openAt(path);
    const [lock = ""] = readdirSync(folder).filter((name) => name.endsWith(".lock"));
    await held.close();
    writeFileSync(join(folder, lock.replace(/\.(\d+)-\d+-/, ".$1-1-")), "");
    await during((lease) => record(lease, "a"));
  },
);

test.runIf(process.platform === "linux")("a zombie process has no lock", async () => {
  // The shell would collect a child that ends before the shell has become `sleep`.
  const child = `sh -c 'until grep -q sleep /proc/$PPID/comm; do :; done'`;
  const parent = spawn("sh", ["-c", `${child} & echo $!; exec sleep 60`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [output] = (await once(parent.stdout, "data")) as [Buffer];
    const stat = () => readFileSync(`/proc/${Number(output.toString())}/stat`, "utf8").split(" ");
    while (stat()[2] !== "Z") await new Promise((resolve) => setImmediate(resolve));
    writeFileSync(
      `${path}.${stat()[0]}-${stat()[21]}-0123abcd-${encodeURIComponent(hostname())}.lock`,
      "",
    );
    await during((lease) => record(lease, "a"));
  } finally {
    parent.kill("SIGKILL");
    await once(parent, "exit");
  }
});

test("one file has one writer, also through a symbolic link", async () => {
  await during((lease) => record(lease, "k"));
  const link = join(folder, "latest.jsonl");
  symlinkSync(path, link);
  await during(async () => expect(openAt(link)).rejects.toThrow("Another run writes to"));
  const lease = await openAt(link);
  expect(await recalled(lease, "k")).toBe("did k");
  await lease.close();
});

test("a symbolic link to a missing file creates one journal with one writer", async () => {
  const link = join(folder, "latest.jsonl");
  symlinkSync(path, link);
  const first = await openAt(link);
  await expect(openAt(path)).rejects.toThrow("Another run writes to");
  await record(first, "k");
  await first.close();
  await during(async (lease) => expect(await recalled(lease, "k")).toBe("did k"));
});

test("a file with two names is rejected, because a lock belongs to one name", async () => {
  const first = await openAt(path);
  const elsewhere = mkdtempSync(join(tmpdir(), "journal-"));
  const other = join(elsewhere, "run.jsonl");
  linkSync(path, other);
  await expect(openAt(other)).rejects.toThrow(`${other} has 2 names (hard links)`);
  await first.close();
  await expect(openAt(path)).rejects.toThrow("Remove the other names, or open a copy.");
  rmSync(elsewhere, { recursive: true });
  await during((lease) => record(lease, "a"));
  expect(readdirSync(folder)).toEqual(["run.jsonl"]);
});

test("a file that is renamed while it is written has no second writer", async () => {
  const first = await openAt(path);
  const renamed = join(folder, "moved.jsonl");
  renameSync(path, renamed);
  await expect(openAt(renamed)).rejects.toThrow("Another run writes to");
  await expect(first.close()).rejects.toMatchObject({ kind: "deleted" });
  await (await openAt(renamed)).close();
  expect(readdirSync(folder)).toEqual(["moved.jsonl"]);
});

test("an unclosed journal does not end the process when it is garbage-collected", async () => {
  const program = `import { fileJournal } from "@fullstop/journal-file";
    const journal = fileJournal(process.argv[1]);
    await journal.open("r");
    for (let time = 0; time < 10; time++) {
      gc();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await fileJournal(process.argv[1]).open("r").catch(({ message }) => console.log(message));`;
  const child = spawn(process.execPath, ["--expose-gc", ...programFlags(program), path], {
    cwd: import.meta.dirname,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const output: Buffer[] = [];
  child.stdout.on("data", (piece: Buffer) => output.push(piece));
  expect(await once(child, "close")).toEqual([0, null]);
  expect(Buffer.concat(output).toString()).toContain("Another run writes to");
  await during((lease) => record(lease, "a"));
});

test("a process that changes its folder keeps its file, and releases its lock", async () => {
  const program = `import { fileJournal } from "@fullstop/journal-file";
    const journal = fileJournal(process.argv[1]);
    process.chdir(process.argv[2]);
    const lease = await journal.open("r");
    process.chdir("/");
    await lease.close();`;
  const cwd = import.meta.dirname;
  const child = spawn(process.execPath, [...programFlags(program), relative(cwd, path), folder], {
    cwd,
    stdio: ["ignore", "ignore", "inherit"],
  });
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(readdirSync(folder)).toEqual(["run.jsonl"]);
});
