import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createView, readRecording } from "@fullstop/inspect/view";
import { afterAll, expect, test } from "vitest";
import { fullstop } from "./fullstop.ts";

const folder = mkdtempSync(join(tmpdir(), "demo-recording-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("`demo --record` records its runs, and says how to see them", async () => {
  const path = join(folder, "run.jsonl");
  const { code, stdout, stderr } = await fullstop(["demo", "--record", path, "--json"]);
  expect(code).toBe(0);
  expect(stderr).toContain(`fullstop inspect ${path} --open`);
  const { heldBack } = JSON.parse(
    stdout.split("\n").find((line) => line.includes('"verdict"')) ?? "",
  );
  const { events, flaws } = readRecording(readFileSync(path, "utf8"));
  expect(flaws).toEqual([]);
  const view = createView();
  for (const event of events) view.add(event);
  const { runs } = view.view();
  expect(runs.map(({ outcome }) => outcome?.status)).toEqual(["refused", "done", "done"]);
  expect(runs.reduce((sum, { totals }) => sum + totals.withheld, 0)).toBe(heldBack.length);
  expect(runs[0]?.turns[0]?.replies[0]?.prompt?.request.system).toContain("web pages");
});

test.each([
  ["a file that is something else", ["--record", "notes.txt"], "notes.txt is not a recording"],
  ["a folder that does not exist", ["--record", "no/run.jsonl"], "its folder does not exist"],
  ["--guarded", ["--record", "run2.jsonl", "--guarded"], "Leave out --guarded"],
])("%s ends with 2 before the demo starts", async (_, [flag = "", name = "", ...rest], message) => {
  writeFileSync(join(folder, "notes.txt"), "Notes.\n");
  const { code, stdout, stderr } = await fullstop(["demo", flag, join(folder, name), ...rest]);
  expect(stderr).toMatch(new RegExp(message));
  expect([code, stdout]).toEqual([2, ""]);
  expect(readFileSync(join(folder, "notes.txt"), "utf8")).toBe("Notes.\n");
  expect(existsSync(join(folder, "run2.jsonl"))).toBe(false);
});
