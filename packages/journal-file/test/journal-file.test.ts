import { appendFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { fileJournal } from "@fullstop/journal-file";
import type { BeginStep } from "@fullstop/loop";
import { expect, test, vi } from "vitest";
import { call, doubt, during, folder, path, recalled } from "./journal-folder.ts";

const lines = () => readFileSync(path, "utf8").split("\n");

test("a finished step returns its value, also in the next process, and does not run again", async () => {
  const value = { text: "two\nlines \u2028 and 😀", list: [1, null, { deep: true }] };
  await during(async (journal) => {
    expect(await call(journal, "r/1/1", value)).toEqual(value);
    expect(await recalled(journal, "r/1/1")).toEqual(value);
  });
  await during(async (journal) => expect(await recalled(journal, "r/1/1")).toEqual(value));
});

test("each line is one JSON object: the header, then beginnings and values in order", async () => {
  await during(async (journal) => {
    await call(journal, "r/1/1", "paid");
    await journal.step<unknown>(
      { key: "r/2/model", kind: "model" },
      async () => ({ text: "Done." }),
      doubt,
    );
  });
  expect(readFileSync(path, "utf8")).toBe(
    [
      '{"journal":"fullstop","version":1}',
      '{"key":"r/1/1","kind":"tool","begun":true}',
      '{"key":"r/1/1","kind":"tool","value":"paid"}',
      '{"key":"r/2/model","kind":"model","value":{"text":"Done."}}',
      "",
    ].join("\n"),
  );
});

test("a beginning is in the file before the step continues, and a value before the caller gets it", async () => {
  await during(async (journal) => {
    const run = async (begin: BeginStep) => {
      await begin();
      expect(lines().at(-2)).toContain('"begun":true');
      return "done";
    };
    await journal.step({ key: "k", kind: "tool" }, run, doubt);
    expect(lines().at(-2)).toContain('"value":"done"');
  });
});

test("a step that began and did not end is in doubt, and does not run", async () => {
  await during((journal) => call(journal, "r/1/1"));
  truncateSync(path, readFileSync(path, "utf8").lastIndexOf('{"key"'));
  await during(async (journal) => expect(await recalled(journal, "r/1/1")).toBe("in doubt"));
  await during(async (journal) => expect(await recalled(journal, "r/1/1")).toBe("in doubt"));
});

test("a step that began and threw is in doubt, in the same process too", async () => {
  await during(async (journal) => {
    const run = async (begin: BeginStep) => {
      await begin();
      throw new Error("no");
    };
    await expect(journal.step({ key: "a", kind: "tool" }, run, doubt)).rejects.toThrow("no");
    expect(await recalled(journal, "a")).toBe("in doubt");
  });
});

test("a step waits until its lines are on disk", async () => {
  const journal = await fileJournal(path);
  const handle = await open(path);
  const disk = Promise.withResolvers<void>();
  const synced = vi
    .spyOn(Object.getPrototypeOf(handle) as FileHandle, "datasync")
    .mockReturnValue(disk.promise);
  await handle.close();
  const order: string[] = [];
  const step = call(journal, "a").then(() => order.push("step"));
  while (synced.mock.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
  order.push("disk");
  disk.resolve();
  await step;
  expect(order).toEqual(["disk", "step"]);
  expect(synced.mock.calls.length).toBe(2);
  synced.mockRestore();
  await journal.close();
});

test("a step that threw before its beginning runs again", async () => {
  const broken = new Error("no");
  await during(async (journal) => {
    await expect(
      journal.step({ key: "m", kind: "model" }, () => Promise.reject(broken), doubt),
    ).rejects.toBe(broken);
    expect(await call(journal, "m")).toBe("did m");
  });
});

test("after any cut of the last line the complete lines count, and the file is valid again", async () => {
  await during(async (journal) => {
    await call(journal, "a");
    await call(journal, "b", "ä😀");
  });
  const whole = readFileSync(path);
  const ends = [
    '{"key":"a","kind":"tool","value"',
    '{"key":"b","kind":"tool","begun"',
    '{"key":"b","kind":"tool","value"',
  ].map((line) => {
    const at = whole.indexOf(line);
    return whole.indexOf("\n", at) + 1;
  });
  for (let size = 0; size < whole.length; size++) {
    writeFileSync(path, whole.subarray(0, size));
    const [a, bBegun, b] = ends.map((end) => size >= end);
    const aBegun = size >= whole.indexOf("\n", whole.indexOf('"begun"')) + 1;
    const output = await during(async (journal) => [
      await call(journal, "a"),
      await call(journal, "b", "ä😀"),
    ]);
    expect(output).toEqual([
      a || !aBegun ? "did a" : "in doubt",
      b || !bBegun ? "ä😀" : "in doubt",
    ]);
    for (const line of lines().slice(0, -1)) expect(() => JSON.parse(line)).not.toThrow();
  }
});

test("a last line with invalid content does not count", async () => {
  await during((journal) => call(journal, "a"));
  for (const torn of ["\0\0\0\0", "\0\0\0\n", '{"key":"b","kind":"tool"}\n', "[]\n", "null\n"]) {
    appendFileSync(path, torn);
    await during(async (journal) => expect(await recalled(journal, "a")).toBe("did a"));
  }
  expect(lines()).toHaveLength(4);
});

test("damage before the last line is an error, and the file stays as it is", async () => {
  await during((journal) => call(journal, "a"));
  const damaged = readFileSync(path, "utf8").replace('"begun":true}', '"begun"');
  writeFileSync(path, damaged);
  await expect(fileJournal(path)).rejects.toThrow(
    `${path} is damaged: the line at byte 35 does not belong to a journal.`,
  );
  expect(readFileSync(path, "utf8")).toBe(damaged);
  expect(readdirSync(folder)).toEqual(["run.jsonl"]);
});

test("a file that is not a journal is refused and stays as it is", async () => {
  writeFileSync(path, "Dear diary,\n");
  await expect(fileJournal(path)).rejects.toThrow(`${path} is not a journal of version 1.`);
  expect(readFileSync(path, "utf8")).toBe("Dear diary,\n");
  await expect(fileJournal(join(folder, "nowhere", "run.jsonl"))).rejects.toThrow("ENOENT");
});

test("parallel steps are all kept completely", async () => {
  const keys = Array.from({ length: 200 }, (_, n) => `r/1/${n}`);
  const long = (key: string) => `${key} ${"x".repeat(5000)}`;
  await during((journal) => Promise.all(keys.map((key) => call(journal, key, long(key)))));
  await during(async (journal) => {
    for (const key of keys) expect(await recalled(journal, key)).toBe(long(key));
  });
});

test("close waits for pending writes, later steps reject, and a second close has no effect", async () => {
  const journal = await fileJournal(path);
  const late = Promise.withResolvers<string>();
  const kept = call(journal, "a");
  const lost = journal.step<unknown>({ key: "b", kind: "tool" }, () => late.promise, doubt);
  await kept;
  const writing = call(journal, "c");
  await Promise.all([
    journal.close(),
    journal.close(),
    expect(writing).rejects.toThrow("The journal is closed."),
  ]);
  late.resolve("too late");
  await expect(lost).rejects.toThrow("The journal is closed.");
  await expect(recalled(journal, "d")).rejects.toThrow("The journal is closed.");
  expect(
    lines()
      .slice(1, -1)
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { key: "a", kind: "tool", begun: true },
    { key: "a", kind: "tool", value: "did a" },
    { key: "c", kind: "tool", begun: true },
  ]);
  expect(readdirSync(folder)).toEqual(["run.jsonl"]);
});

test("a value that JSON cannot represent does not end a step", async () => {
  await during(async (journal) => {
    await expect(
      journal.step({ key: "a", kind: "tool" }, async () => undefined, doubt),
    ).rejects.toThrow("a value that JSON cannot represent");
    await expect(
      journal.step<unknown>({ key: "b", kind: "tool" }, async () => 1n, doubt),
    ).rejects.toThrow("BigInt");
    expect(await call(journal, "c")).toBe("did c");
  });
});

test("a second step with the key of a running one is rejected", async () => {
  await during(async (journal) => {
    const first = call(journal, "r/1/1");
    await expect(call(journal, "r/1/1")).rejects.toThrow(
      "Step r/1/1 is already running: give each run its own `journal.runId`.",
    );
    expect(await first).toBe("did r/1/1");
    expect(await recalled(journal, "r/1/1")).toBe("did r/1/1");
  });
});
