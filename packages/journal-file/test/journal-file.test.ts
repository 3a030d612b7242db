import { appendFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { fileJournal } from "@fullstop/journal-file";
import { expect, test, vi } from "vitest";
import { during, folder, path, recalled, record, useNewFolders } from "./journal-folder.ts";

useNewFolders();

const lines = () => readFileSync(path, "utf8").split("\n");
const nextTask = () => new Promise((resolve) => setImmediate(resolve));

test.each([undefined, ""])("a path that is %j is an error at once", (path) => {
  expect(() => fileJournal(path as string)).toThrow(/`fileJournal` needs the path of a file/);
});

test("a finished step has its value, also in the next process", async () => {
  const value = { text: "two\nlines \u2028 and 😀", list: [1, null, { deep: true }] };
  await during(async (lease) => {
    expect(await recalled(lease, "r/1/1")).toBeUndefined();
    await record(lease, "r/1/1", value);
    expect(await recalled(lease, "r/1/1")).toEqual(value);
  });
  await during(async (lease) => expect(await recalled(lease, "r/1/1")).toEqual(value));
});

test("each line is one JSON object: the header, then beginnings and values in order", async () => {
  await during(async (lease) => {
    await record(lease, "r/1/1", "paid");
    await lease.end({ key: "r/2/model", kind: "model" }, '{"text":"Done."}');
  });
  expect(readFileSync(path, "utf8")).toBe(
    [
      '{"journal":"fullstop","version":1}',
      '{"run":"r","key":"r/1/1","kind":"tool","begun":true}',
      '{"run":"r","key":"r/1/1","kind":"tool","value":"paid"}',
      '{"run":"r","key":"r/2/model","kind":"model","value":{"text":"Done."}}',
      "",
    ].join("\n"),
  );
});

test("a value is read as the text that was written", async () => {
  const texts = [
    '{ "b" : 1.0, "a" : [ ] }',
    '{\n  "lines": 2\r\n}',
    "1e400",
    '"\\u0000 \\ud800 \u2028"',
    '"half \ud800 of a pair"',
    `"${"long ä😀".repeat(1_000_000)}"`,
  ];
  const key = 'r/1/"model"}\n{';
  for (const text of texts) {
    await during(async (lease) => {
      await lease.end({ key, kind: "model" }, text);
      expect(await lease.read(key)).toEqual({ state: "ended", json: text });
    });
    await during(async (lease) =>
      expect(await lease.read(key)).toEqual({ state: "ended", json: text }),
    );
  }
});

test("lines of another program and of earlier releases are read, with other spaces and members", async () => {
  await during(() => {});
  appendFileSync(path, '{ "kind": "tool", "more": 1, "key": "a", "value": [1, "two"] }\n');
  await during(async (lease) =>
    expect(await lease.read("a")).toEqual({ state: "ended", json: '[1,"two"]' }),
  );
});

test("a beginning and a value are in the file before the run continues", async () => {
  await during(async (lease) => {
    await lease.begin({ key: "k", kind: "tool" });
    expect(lines().at(-2)).toContain('"begun":true');
    await lease.end({ key: "k", kind: "tool" }, '"done"');
    expect(lines().at(-2)).toContain('"value":"done"');
  });
});

test("a step that began and did not end stays begun, also in the same process", async () => {
  await during(async (lease) => {
    await lease.begin({ key: "r/1/1", kind: "tool" });
    expect(await recalled(lease, "r/1/1")).toBe("begun");
  });
  await during(async (lease) => expect(await recalled(lease, "r/1/1")).toBe("begun"));
  await during((lease) => record(lease, "r/1/2"));
  truncateSync(path, readFileSync(path, "utf8").lastIndexOf('{"run"'));
  await during(async (lease) => expect(await recalled(lease, "r/1/2")).toBe("begun"));
});

/** Replaces `datasync` of all files. */
async function spyOnDisk() {
  const handle = await open(path, "a");
  const spy = vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, "datasync");
  await handle.close();
  return spy;
}

test("a step waits until its line is on disk", async () => {
  const disk = Promise.withResolvers<void>();
  await during(async (lease) => {
    const synced = (await spyOnDisk()).mockReturnValue(disk.promise);
    const order: string[] = [];
    const step = lease.begin({ key: "a", kind: "tool" }).then(() => order.push("step"));
    while (synced.mock.calls.length === 0) await nextTask();
    order.push("disk");
    disk.resolve();
    await step;
    expect(order).toEqual(["disk", "step"]);
    expect(synced.mock.calls.length).toBe(1);
    synced.mockRestore();
  });
});

test("steps that end at the same time share one call of `fdatasync`", async () => {
  const keys = Array.from({ length: 200 }, (_, n) => `r/1/${n}`);
  const long = (key: string) => `${key} ${"x".repeat(5000)}`;
  await during(async (lease) => {
    const synced = await spyOnDisk();
    await Promise.all(keys.map((key) => record(lease, key, long(key))));
    expect(synced.mock.calls.length).toBeLessThanOrEqual(8);
    synced.mockRestore();
  });
  await during(async (lease) => {
    for (const key of keys) expect(await recalled(lease, key)).toBe(long(key));
  });
});

test("after a failed write the lease is lost and all later writes fail; the next lease continues", async () => {
  await during(async (lease) => {
    await record(lease, "a");
    const synced = await spyOnDisk();
    synced.mockRejectedValueOnce(new Error("ENOSPC: no space left on device"));
    const message = `The journal ${path} could not be written: ENOSPC: no space left on device. Correct the cause`;
    await expect(lease.begin({ key: "b", kind: "tool" })).rejects.toThrow(message);
    expect(lease.lost.reason).toMatchObject({ name: "JournalError", kind: "unavailable" });
    await expect(record(lease, "c")).rejects.toBe(lease.lost.reason);
    synced.mockRestore();
    await expect(record(lease, "d")).rejects.toBe(lease.lost.reason);
    expect(await recalled(lease, "a")).toBe("did a");
  });
  await during(async (lease) => {
    expect(lease.lost.aborted).toBe(false);
    await record(lease, "d");
  });
});

test("after any cut of the last line the complete lines count, and the file is valid again", async () => {
  await during(async (lease) => {
    await record(lease, "a");
    await record(lease, "b", "ä😀");
  });
  const whole = readFileSync(path);
  const endOf = (start: string) => whole.indexOf("\n", whole.indexOf(start)) + 1;
  for (let size = 0; size < whole.length; size++) {
    writeFileSync(path, whole.subarray(0, size));
    const stateOf = (key: string) => {
      if (size >= endOf(`{"run":"r","key":"${key}","kind":"tool","value"`)) return "ended";
      return size >= endOf(`{"run":"r","key":"${key}","kind":"tool","begun"`) ? "begun" : undefined;
    };
    await during(async (lease) => {
      expect([size, (await lease.read("a"))?.state, (await lease.read("b"))?.state]).toEqual([
        size,
        stateOf("a"),
        stateOf("b"),
      ]);
      await record(lease, "c");
    });
    for (const line of lines().slice(0, -1)) expect(() => JSON.parse(line)).not.toThrow();
  }
});

test("a last line with invalid content does not count", async () => {
  await during((lease) => record(lease, "a"));
  for (const torn of ["\0\0\0\0", "\0\0\0\n", '{"key":"b","kind":"tool"}\n', "[]\n", "null\n"]) {
    appendFileSync(path, torn);
    await during(async (lease) => expect(await recalled(lease, "a")).toBe("did a"));
  }
  expect(lines()).toHaveLength(4);
});

test("damage before the last line is an error, and the file stays as it is", async () => {
  await during((lease) => record(lease, "a"));
  const damaged = readFileSync(path, "utf8").replace('"begun":true}', '"begun"');
  writeFileSync(path, damaged);
  await expect(fileJournal(path).open("r")).rejects.toMatchObject({
    kind: "damaged",
    message: `${path} is damaged: the line at byte 35 does not belong to a journal. Restore a copy, or start the run in another file.`,
  });
  expect(readFileSync(path, "utf8")).toBe(damaged);
  expect(readdirSync(folder)).toEqual(["run.jsonl"]);
});

test("a file that is not a journal is refused and stays as it is", async () => {
  writeFileSync(path, "Dear diary,\n");
  const journal = fileJournal(path);
  await expect(journal.open("r")).rejects.toMatchObject({
    kind: "damaged",
    message: `${path} is not a journal. Use another file.`,
  });
  expect(readFileSync(path, "utf8")).toBe("Dear diary,\n");
  writeFileSync(path, "");
  await (await journal.open("r")).close();
  expect(lines()).toHaveLength(2);
});

test("a file that cannot be opened is an error that names it", async () => {
  const nowhere = join(folder, "nowhere", "run.jsonl");
  await expect(fileJournal(nowhere).open("r")).rejects.toMatchObject({
    kind: "unavailable",
    message: `The journal ${nowhere} cannot be opened: ENOENT: no such file or directory, open '${nowhere}'. Its folder must exist and be writable.`,
  });
});

test.skipIf(process.platform === "win32")("a device, which has no end, is refused", async () => {
  await expect(fileJournal("/dev/zero").open("r")).rejects.toMatchObject({
    kind: "unavailable",
    message: "/dev/zero is not a file. Give the path of a file.",
  });
});

test("close waits for pending writes, later calls reject, and a second close has no effect", async () => {
  const lease = await fileJournal(path).open("r");
  await record(lease, "a");
  const writing = lease.begin({ key: "b", kind: "tool" });
  await Promise.all([lease.close(), lease.close({ status: "done" }), writing]);
  const late = 'The lease of the run "r" was given back.';
  await expect(lease.end({ key: "b", kind: "tool" }, "1")).rejects.toThrow(late);
  await expect(lease.read("a")).rejects.toThrow(late);
  await during(async (next) => expect(await recalled(next, "b")).toBe("begun"));
  expect(lines().at(-2)).toBe('{"run":"r","key":"b","kind":"tool","begun":true}');
  expect(readdirSync(folder)).toEqual(["run.jsonl"]);
});
