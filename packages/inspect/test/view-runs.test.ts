import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileJournal } from "@fullstop/journal-file";
import { run } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { record } from "../src/index.ts";
import { readRecording, viewRecording } from "../src/view/index.ts";
import { recorded, testFolder } from "./recorded.ts";
import { toolNamed } from "./recorded-tools.ts";

const call = (name: string, id: string, input: object = {}) => ({ calls: [{ name, id, input }] });

test("a cut call that its tool completed is a reply that was kept, with its call", async () => {
  const look = toolNamed("look", () => "ok", {
    salvage: { first: true, continueWith: ["look"], input: () => ({ a: 1 }) },
  });
  const { recording } = await recorded({
    adapter: mock([{ ...call("look", "call_1", { a: 1, b: 2 }), stop: "length" }, "Done."]),
    tools: [look],
  });
  const [first] = viewRecording(recording).runs[0]?.turns ?? [];
  expect(first?.replies).toHaveLength(1);
  expect(first?.replies[0]).toMatchObject({
    kept: true,
    recovery: { action: "salvage" },
    inputs: [{ verdict: "withheld", withheldReason: "stop-reason" }],
  });
  expect(first?.calls).toMatchObject([{ by: "loop", input: { a: 1 }, state: "done" }]);
  expect(viewRecording(recording).runs[0]?.totals.discarded.output).toBe(0);
});

test("a prompt says what changed since the request before", async () => {
  const { recording } = await recorded({
    adapter: mock([call("look", "a"), call("look", "b"), call("look", "c"), "Done."]),
    system: "Be brief.",
    tools: [toolNamed("look")],
    beforeTurn: ({ turn }) => {
      if (turn === 2) return { system: "Be kind.", messages: [{ role: "user", content: "More." }] };
      return turn === 3 ? { tools: [toolNamed("look"), toolNamed("list")] } : undefined;
    },
  });
  const turns = viewRecording(recording).runs[0]?.turns ?? [];
  const prompts = turns.map(({ replies }) => replies[0]?.prompt);
  expect(prompts.map((prompt) => prompt?.changed)).toEqual([
    [],
    ["system"],
    ["system", "tools"],
    ["tools"],
  ]);
  expect(prompts.map((prompt) => prompt?.request.messages.length)).toEqual([1, 4, 6, 8]);
  expect(prompts.map((prompt) => prompt?.sameMessages)).toEqual([0, 1, 4, 6]);
  expect(prompts.map((prompt) => prompt?.request.system)).toEqual([
    "Be brief.",
    "Be kind.",
    "Be brief.",
    "Be brief.",
  ]);
});

test("messages that were taken out are a change of the messages", async () => {
  const { recording } = await recorded({
    adapter: mock([call("look", "a"), { text: "", stop: "context-window" }, "Done."]),
    tools: [toolNamed("look")],
    recovery: { compact: (messages) => messages.slice(0, 1) },
  });
  const replies = viewRecording(recording).runs[0]?.turns.flatMap((turn) => turn.replies) ?? [];
  expect(replies.map(({ reason }) => reason)).toEqual([undefined, undefined, "compact"]);
  expect(replies[2]?.prompt).toMatchObject({ sameMessages: 1, changed: ["messages"] });
  expect(replies[1]?.recoveryCost).toEqual({ requests: 1, usage: replies[2]?.verdict?.usage });
});

test("a run that is killed and goes on in its journal is shown as two runs in one file", async () => {
  const folder = await testFolder();
  const file = join(folder, "run.jsonl");
  const journalPath = join(folder, "journal.jsonl");
  const start = (script: Parameters<typeof mock>[0]) => {
    const journal = { store: fileJournal(journalPath), runId: "run-7" };
    const options = { tools: [toolNamed("look")], prompt: "Go.", journal };
    return run({ ...options, adapter: mock(script), onEvent: record(file) }).outcome();
  };
  await start([call("look", "a"), "Done."]);
  // As if it was killed while it asked for the second turn: neither file has more.
  for (const [path, last] of [
    [file, '"type":"first-byte"'],
    [journalPath, '"run-7/2/model"'],
  ] as const) {
    const lines = readFileSync(path, "utf8").split("\n");
    const end = lines.findLastIndex((line) => line.includes(last));
    writeFileSync(path, `${lines.slice(0, end).join("\n")}\n`);
  }
  await start(["Done."]);
  const { runs, flaws } = viewRecording(readRecording(readFileSync(file, "utf8")));
  expect(flaws).toEqual([]);
  expect(runs.map(({ runId, outcome }) => [runId, outcome?.status])).toEqual([
    ["run-7", undefined],
    ["run-7", "done"],
  ]);
  const replayed = runs.map(({ turns }) => turns.map(({ replies }) => replies[0]?.replayed));
  expect(replayed).toEqual([
    [false, false],
    [true, false],
  ]);
  expect(runs[1]?.turns[0]?.calls[0]).toMatchObject({ state: "done", steps: [{ replayed: true }] });
  const ids = runs.flatMap(({ turns }) =>
    turns.flatMap(({ replies }) => replies.map(({ id }) => id)),
  );
  expect(new Set(ids).size).toBe(ids.length);
});
