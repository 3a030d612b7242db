import { expect, test } from "vitest";
import { worker } from "./processes.ts";
import { startTeam } from "./team.ts";

const team = await startTeam();

test("the help names all commands, the signals and the exit codes", async () => {
  const { code, stdout } = await worker(["--help"], {});
  expect(code).toBe(0);
  for (const word of [
    "worker",
    "start",
    "runs",
    "approve",
    "deny",
    "settle",
    "SIGTERM",
    "DATABASE_URL",
    "Exit codes",
  ])
    expect(stdout).toContain(word);
});

test.for([
  [["start", "../secrets"], "It must be 1 to 64 letters, digits, - or _."],
  [["settle", "run", "call"], "say what became of the call"],
  [["settle", "run", "call", "--happened", "yes", "--did-not-happen"], "cannot be used with"],
  [["worker", "--concurrency", "0"], "It must be a number above 0."],
  [["bake"], "unknown command"],
] as const)("wrong usage ends with 2 and says what is wrong: %j", async ([args, sentence]) => {
  const { code, stderr } = await worker(args, {});
  expect(stderr).toContain(sentence);
  expect(code).toBe(2);
});

test("a database that cannot be reached is a sentence that names the option", async () => {
  const nowhere = { DATABASE_URL: "postgres://postgres@127.0.0.1:1/postgres" };
  const { code, stderr } = await worker(["runs"], nowhere);
  expect(stderr).toMatch(/^worker: PostgreSQL cannot be used: .*ECONNREFUSED.*--database/);
  expect(code).toBe(1);
});

test("before the first worker, the commands say what is missing", async () => {
  expect(await team.ask(["runs"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("No run has started yet."),
  });
  expect(await team.ask(["start", "early"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("The first worker creates it: start one."),
  });
  expect(await team.ask(["approve", "early", "call"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The run "early" does not exist.'),
  });
});

test("workers that start at once on an empty database all take runs", async () => {
  const workers = [1, 2, 3].map(() => team.hire());
  await Promise.all(workers.map(({ until }) => until(({ type }) => type === "ready")));
  expect(await Promise.all(workers.map(({ end }) => end("SIGTERM")))).toEqual([0, 0, 0]);
});
