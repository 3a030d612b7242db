import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fileJournal } from "@fullstop/journal-file";
import { type RunEvent, run } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { describe, expect, onTestFinished, test } from "vitest";
import { RecordingError, type RecordOptions, record } from "../src/index.ts";
import { readRecording, viewRecording } from "../src/view/index.ts";
import { journalFile, recorded, testFolder } from "./recorded.ts";
import { toolNamed } from "./recorded-tools.ts";

const script = [{ text: "I look.", calls: [{ name: "look", id: "call_1", input: {} }] }, "Done."];
const options = { tools: [toolNamed("look")], prompt: "Go." };

/** A run with a recorder that may fail. It must end as without one. */
async function runWith(file: string, recordOptions: RecordOptions = {}) {
  const errors: RecordingError[] = [];
  const onEvent = record(file, { onError: (error) => errors.push(error), ...recordOptions });
  const outcome = await run({ ...options, adapter: mock(script), onEvent }).outcome();
  expect(outcome).toMatchObject({ status: "done", text: "Done." });
  expect(outcome).not.toHaveProperty("observerError");
  const closing: unknown = await onEvent.close().catch((thrown: unknown) => thrown);
  return { errors, closing };
}

test("a process that is killed in a tool leaves everything until then", async () => {
  const file = join(await testFolder(), "run.jsonl");
  const program = fileURLToPath(new URL("./killed-run.ts", import.meta.url));
  const child = spawn(process.execPath, ["--conditions=@fullstop/source", program, file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
  const { head, events, flaws } = readRecording(readFileSync(file, "utf8"));
  expect(flaws).toEqual([]);
  expect(events.at(-1)).toMatchObject({ type: "tool-call", call: { name: "hang" } });
  const [killed] = viewRecording({ head, events, flaws }).runs;
  expect(killed?.endedAt).toBeUndefined();
  expect(killed?.turns[0]?.calls).toMatchObject([{ name: "hang", state: "running" }]);
});

describe("a recorder that cannot write leaves the run alone, and says so once", () => {
  test.skipIf(!existsSync("/dev/full"))("on a full disk", async () => {
    const { errors, closing } = await runWith("/dev/full");
    expect(errors).toHaveLength(1);
    expect(errors[0]).toBe(closing);
    expect(errors[0]).toBeInstanceOf(RecordingError);
    expect(errors[0]?.message).toContain("the disk is full. Make room");
  });

  test("in a folder that does not exist", async () => {
    const { errors, closing } = await runWith(join(await testFolder(), "gone", "run.jsonl"));
    expect(errors).toEqual([closing]);
    expect(errors[0]?.message).toMatch(/its folder does not exist\. Create it\.$/);
  });

  test("to a file that is not a recording, which stays as it is", async () => {
    const file = join(await testFolder(), "notes.txt");
    writeFileSync(file, "Buy milk.\n");
    const { errors } = await runWith(file);
    expect(errors.map(({ kind }) => kind)).toEqual(["not-a-recording"]);
    expect(readFileSync(file, "utf8")).toBe("Buy milk.\n");
  });

  test("without `onError`, as a warning of the process", async () => {
    const warnings: Error[] = [];
    const listen = (warning: Error): void => void warnings.push(warning);
    process.on("warning", listen);
    onTestFinished(() => void process.off("warning", listen));
    await runWith(join(await testFolder(), "gone", "run.jsonl"), { onError: undefined });
    await new Promise(setImmediate);
    expect(warnings.map(({ name }) => name)).toEqual(["RecordingError"]);
  });
});

describe("a file", () => {
  test("can be read by its owner only", async () => {
    const file = join(await testFolder(), "run.jsonl");
    expect((await runWith(file)).closing).toBeUndefined();
    expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
  });

  test("that a killed process left with half a line goes on, and nothing of it is lost", async () => {
    const file = join(await testFolder(), "run.jsonl");
    await runWith(file);
    const whole = readFileSync(file, "utf8");
    const { events } = readRecording(whole);
    writeFileSync(file, whole.slice(0, -10));
    await runWith(file);
    const both = readRecording(readFileSync(file, "utf8"));
    expect(both.events).toHaveLength(2 * events.length - 1);
    expect(both.flaws).toHaveLength(1);
    expect(both.flaws[0]).toContain("was cut, or is damaged");
    expect(viewRecording(both).runs.map(({ outcome }) => outcome?.status)).toEqual([
      undefined,
      "done",
    ]);
  });

  test("that another recorder writes in ends the recording, so that the two do not mix", async () => {
    const file = join(await testFolder(), "run.jsonl");
    const errors: RecordingError[] = [];
    const onEvent = record(file, { onError: (error) => errors.push(error) });
    const look = toolNamed("look", async () => {
      expect((await runWith(file)).errors).toEqual([]);
      return "Seen.";
    });
    await run({ adapter: mock(script), tools: [look], prompt: "Go.", onEvent }).outcome();
    await expect(onEvent.close()).rejects.toThrow("Name another file");
    expect(errors.map(({ kind }) => kind)).toEqual(["cannot-write"]);
    const recording = readRecording(readFileSync(file, "utf8"));
    expect(recording.flaws).toEqual([]);
    const { runs } = viewRecording(recording);
    expect(runs.map(({ outcome }) => outcome?.status)).toEqual([undefined, "done"]);
  });

  test("is complete without `close`", async () => {
    const file = join(await testFolder(), "run.jsonl");
    await run({ ...options, adapter: mock(script), onEvent: record(file) }).outcome();
    expect(readRecording(readFileSync(file, "utf8")).events.at(-1)?.type).toBe("end");
  });
});

test("another observer gets what it gets without a recorder, and its error is that of the run", async () => {
  const alone: string[] = [];
  const beside: string[] = [];
  const watch = (list: string[]) => (event: RunEvent) => void list.push(event.type);
  await run({ ...options, adapter: mock(script), onEvent: watch(alone) }).outcome();
  const recorder = record(join(await testFolder(), "run.jsonl"));
  const failing = async () => {
    throw new Error("No.");
  };
  const onEvent = [recorder, watch(beside), failing];
  const outcome = await run({ ...options, adapter: mock(script), onEvent }).outcome();
  expect(beside).toEqual(alone);
  expect(outcome.observerError).toEqual(new Error("No."));
  await recorder.close();
});

test("values that JSON cannot hold are recorded as text, and never throw", async () => {
  const cycle: Record<string, unknown> = { name: "a" };
  cycle["self"] = cycle;
  let deep: unknown = 1;
  for (let depth = 0; depth < 5000; depth++) deep = [deep];
  const values: unknown[] = [
    10n ** 20n,
    new Date(0),
    new Error("No disk.", { cause: new Error("Really.") }),
    cycle,
    deep,
    Number.NaN,
    undefined,
    { not: undefined, call: () => 1, symbol: Symbol("s"), none: null },
    new Map([["a", 1n]]),
    new Set([1]),
    new Uint8Array(3),
    {
      get broken() {
        throw new Error("It cannot be read.");
      },
    },
    JSON.parse('{"__proto__": {"a": 1}}'),
    "half of a character: \ud83e",
  ];
  const look = toolNamed("look", async function* () {
    yield* values;
    return "ok";
  } as never);
  const { recording } = await recorded({ adapter: mock(script), tools: [look] });
  expect(recording.flaws).toEqual([]);
  const progress = recording.events.flatMap((event) =>
    event.type === "tool-progress" ? [event.progress] : [],
  );
  expect(progress).toHaveLength(values.length);
  expect(progress.map((one) => JSON.stringify(one) ?? "nothing")).toMatchObject([
    '"100000000000000000000n"',
    '"1970-01-01T00:00:00.000Z"',
    '{"name":"Error","message":"No disk.","cause":{"name":"Error","message":"Really."}}',
    '{"name":"a","self":"[circular]"}',
    expect.stringContaining("[too deep]"),
    '"NaN"',
    "nothing",
    '{"symbol":"Symbol(s)","none":null}',
    '[["a","1n"]]',
    "[1]",
    '"[3 bytes]"',
    '"[unreadable: It cannot be read.]"',
    '{"__proto__":{"a":1}}',
    '"half of a character: \\ud83e"',
  ]);
});

test("options that cannot work are refused at once", () => {
  expect(() => record(run({ ...options, adapter: mock([]) }) as never)).toThrow(
    "`record` takes the path of a file",
  );
  expect(() => record("never.jsonl", { redactkeys: false } as RecordOptions)).toThrow(
    "Did you mean `redactKeys`?",
  );
  expect(existsSync("never.jsonl")).toBe(false);
});

test("a journal is not taken for a recording", async () => {
  const file = await journalFile();
  const journal = { store: fileJournal(file), runId: "run-7" };
  await run({ ...options, adapter: mock(script), journal }).outcome();
  expect(() => readRecording(readFileSync(file, "utf8"))).toThrow("The file is a journal");
});
