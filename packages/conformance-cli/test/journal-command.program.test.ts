import { fileURLToPath } from "node:url";
import type { Report } from "@fullstop/conformance";
import { afterAll, expect, test } from "vitest";
import { createFolder } from "./command.ts";

const folder = createFolder();
afterAll(() => folder[Symbol.dispose]());
// @boundaries-ignore the table in memory stands on the loop, which this package does not need
const memory = fileURLToPath(new URL("../../conformance/test/journal/memory.ts", import.meta.url));
const clauses = fileURLToPath(import.meta.resolve("@fullstop/conformance/journal/judge"));

folder.put(
  "sound.ts",
  `import { memorySubject } from ${JSON.stringify(memory)}; export default memorySubject();`,
);
folder.put(
  "forgetful.ts",
  `import { journalClauses } from ${JSON.stringify(clauses)}; import sound from "./sound.ts";
    const { mutants } = journalClauses.find(({ id }) => id === "journal.begun");
    export default [sound, { ...mutants[0].subject(sound), name: "forgetful" }];`,
);

test("ends with 0 if every clause is kept, and prints how many", async () => {
  const { code, stdout, stderr } = await folder.run(["journal", "./sound.ts"]);
  expect(stderr).toBe("");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ +journal +✔ (\d+)\/\1, should (\d+)\/\2$/m);
  expect(stdout).toMatch(/memory: (\d+) of \1 must, (\d+) of \2 should; \d+ kept/);
});

test("ends with 1 if a clause is broken, and shows the check", async () => {
  const args = ["journal", "./forgetful.ts", "--only", "journal.begun"];
  const { code, stdout } = await folder.run(args);
  expect(code).toBe(1);
  for (const words of [
    "forgetful: journal.begun is broken",
    "check     journal.begun/at-once",
    "expected  begun",
    "actual    nothing recorded",
  ])
    expect(stdout).toContain(words);
});

test("has the reporters and the expected failures of the other commands", async () => {
  folder.put("known.txt", "forgetful: journal.begun  # until the next release");
  const { code, stdout } = await folder.run([
    "journal",
    "./forgetful.ts",
    "--only",
    "journal.begun",
    "--reporter",
    "json",
    "--expected-failures",
    "known.txt",
  ]);
  expect(code).toBe(0);
  const { subjects } = JSON.parse(stdout) as Report;
  expect(subjects.map(({ name, findings }) => [name, findings["journal.begun"]?.status])).toEqual([
    ["memory", "kept"],
    ["forgetful", "expected-failure"],
  ]);
  expect(subjects[1]?.command).toBe(
    "npx fullstop conformance journal ./forgetful.ts --only journal.begun",
  );
});

test("writes a text for the maintainers of a journal", async () => {
  const args = ["journal", "./forgetful.ts", "--only", "journal.begun", "--reporter", "issue"];
  const { stdout } = await folder.run(args);
  expect(stdout).toContain("I asked `forgetful` what it keeps of a run");
  expect(stdout).toContain("journal ./forgetful.ts --only journal.begun/at-once");
  expect(stdout).not.toMatch(/replies|the model/);
});

test("ends with 2 and says what a module must export", async () => {
  const { code, stderr } = await folder.run(["journal", "./kept.ts"]);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining(
      "./kept.ts has no subject as its default export: export default { name",
    ),
  ]);
  const wrong = await folder.run(["journal", "./sound.ts", "--only", "journal.begin"]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("journal.begun")]);
});

test("`list` and `explain` know the clauses about journals", async () => {
  expect((await folder.run(["list"])).stdout).toContain("journal.one-writer");
  const { stdout } = await folder.run(["explain", "journal.lost"]);
  for (const words of [
    "pikkujs/pikku#1742",
    "one that writes without a look at the lease",
    "npx fullstop conformance journal ./my-journal.ts --only journal.lost",
  ])
    expect(stdout).toContain(words);
});
