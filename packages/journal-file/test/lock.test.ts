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
import { call, during, folder, path, recalled } from "./journal-folder.ts";

const programFlags = (program: string) => [
  "--conditions=@fullstop/source",
  "--input-type=module",
  "-e",
  program,
];

test("a second writer is rejected while the first is open, in this process too", async () => {
  const first = await fileJournal(path);
  await expect(fileJournal(path)).rejects.toThrow(`Another run writes to ${path}.`);
  expect(await call(first, "a")).toBe("did a");
  await first.close();
  await during(async (journal) => expect(await recalled(journal, "a")).toBe("did a"));
  expect(readdirSync(folder)).toEqual(["run.jsonl"]);
});

test("at most one of many simultaneous writers succeeds", async () => {
  const tries = await Promise.allSettled(Array.from({ length: 20 }, () => fileJournal(path)));
  const open = tries.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  expect(open.length).toBeLessThanOrEqual(1);
  for (const journal of open) await journal.close();
  await during(async (journal) => expect(await call(journal, "a")).toBe("did a"));
});

test("journals with similar names in one folder are independent", async () => {
  const names = ["run.jsonl", "run.jsonl.1", "run", "ru"];
  const journals = await Promise.all(names.map((name) => fileJournal(join(folder, name))));
  for (const journal of journals) await journal.close();
  expect(readdirSync(folder).toSorted()).toEqual(names.toSorted());
});

test("a lock of another machine is valid, and the error says what to do; a lock of a finished process is not", async () => {
  const foreign = `${path}.1-0-0123abcd-elsewhere.lock`;
  writeFileSync(foreign, "");
  await expect(fileJournal(path)).rejects.toThrow(`If that is wrong, remove ${foreign}.`);
  rmSync(foreign);
  const held = await fileJournal(path);
  const [lock = ""] = readdirSync(folder).filter((name) => name.endsWith(".lock"));
  await held.close();
  const gone = lock.replace(/\.\d+-\d+-/, ".999999999-1-").replace(/-[0-9a-f]{8}-/, "-0123abcd-");
  writeFileSync(join(folder, gone), "");
  await during((journal) => call(journal, "a"));
  expect(readdirSync(folder)).toEqual(["run.jsonl"]);
});

test.runIf(process.platform === "linux")(
  "a process with the pid of a dead one has no lock",
  async () => {
    const held = await fileJournal(path);
    const [lock = ""] = readdirSync(folder).filter((name) => name.endsWith(".lock"));
    await held.close();
    writeFileSync(join(folder, lock.replace(/\.(\d+)-\d+-/, ".$1-1-")), "");
    await during((journal) => call(journal, "a"));
  },
);

test.runIf(process.platform === "linux")("a zombie process has no lock", async () => {
  const parent = spawn("sh", ["-c", "sleep 0 & echo $!; exec sleep 60"], {
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
    await during((journal) => call(journal, "a"));
  } finally {
    parent.kill("SIGKILL");
    await once(parent, "exit");
  }
});

test("one file has one writer, also through a symbolic link", async () => {
  await during((journal) => call(journal, "k"));
  const link = join(folder, "latest.jsonl");
  symlinkSync(path, link);
  await during(async () => expect(fileJournal(link)).rejects.toThrow("Another run writes to"));
  await using journal = await fileJournal(link);
  expect(await recalled(journal, "k")).toBe("did k");
});

test("a symbolic link to a missing file creates one journal with one writer", async () => {
  const link = join(folder, "latest.jsonl");
  symlinkSync(path, link);
  const first = await fileJournal(link);
  await expect(fileJournal(path)).rejects.toThrow("Another run writes to");
  await call(first, "k");
  await first.close();
  await during(async (journal) => expect(await recalled(journal, "k")).toBe("did k"));
});

test("a file with two names is rejected, because a lock belongs to one name", async () => {
  const first = await fileJournal(path);
  const elsewhere = mkdtempSync(join(tmpdir(), "journal-"));
  const other = join(elsewhere, "run.jsonl");
  linkSync(path, other);
  await expect(fileJournal(other)).rejects.toThrow(`${other} has 2 names (hard links)`);
  await first.close();
  await expect(fileJournal(path)).rejects.toThrow("Remove the other names, or open a copy.");
  rmSync(elsewhere, { recursive: true });
  await during((journal) => call(journal, "a"));
  expect(readdirSync(folder)).toEqual(["run.jsonl"]);
});

test("a file that is renamed while it is written has no second writer", async () => {
  const first = await fileJournal(path);
  const renamed = join(folder, "moved.jsonl");
  renameSync(path, renamed);
  await expect(fileJournal(renamed)).rejects.toThrow("Another run writes to");
  await first.close();
  await (await fileJournal(renamed)).close();
  expect(readdirSync(folder)).toEqual(["moved.jsonl"]);
});

test("an unclosed journal does not end the process when it is garbage-collected", async () => {
  const program = `import { fileJournal } from "@fullstop/journal-file";
    await fileJournal(process.argv[1]);
    for (let time = 0; time < 10; time++) {
      gc();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await fileJournal(process.argv[1]).catch(({ message }) => console.log(message));`;
  const child = spawn(process.execPath, ["--expose-gc", ...programFlags(program), path], {
    cwd: import.meta.dirname,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const output: Buffer[] = [];
  child.stdout.on("data", (piece: Buffer) => output.push(piece));
  expect(await once(child, "close")).toEqual([0, null]);
  expect(Buffer.concat(output).toString()).toContain("Another run writes to");
  await during((journal) => call(journal, "a"));
});

test("a process that changes its folder releases its lock", async () => {
  const program = `import { fileJournal } from "@fullstop/journal-file";
    const journal = await fileJournal(process.argv[1]);
    process.chdir("/");
    await journal.close();`;
  const cwd = import.meta.dirname;
  const child = spawn(process.execPath, [...programFlags(program), relative(cwd, path)], {
    cwd,
    stdio: ["ignore", "ignore", "inherit"],
  });
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(readdirSync(folder)).toEqual(["run.jsonl"]);
});
