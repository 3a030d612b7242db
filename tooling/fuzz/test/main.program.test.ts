import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { parseOptions } from "../src/options.ts";

const main = new URL("../src/main.ts", import.meta.url).pathname;
const start = (...args: readonly string[]): ChildProcess =>
  spawn(process.execPath, ["--conditions=@fullstop/source", main, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });

async function finished(
  child: ChildProcess,
): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> {
  if (child.stdout === null || child.stderr === null) throw new Error("no output");
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ]);
  return { code, out, err };
}

test("--help lists the properties and the exit codes", async () => {
  const { code, out } = await finished(start("--help"));
  expect(code).toBe(0);
  expect(out).toContain("An unfinished reply issues no call.");
});

test("an invalid option ends with the code 2", async () => {
  const { code, out, err } = await finished(start("--protocol", "smoke"));
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain(
    'Unknown name "smoke" in --protocol: expected anthropic, responses, chat, gemini, interactions, converse, ollama.',
  );
});

test.each([
  [["--runs", "many"], '--runs must be an integer of at least 1, not "many".'],
  [["--runs", "0"], "--runs must be an integer of at least 1"],
  [["--seed", ""], "--seed must be an integer"],
  [["--path", "1:2"], "--path requires one --protocol and its --seed."],
  [
    ["--protocol", "chat", "--seed", "1", "--path", "x"],
    "--path must be numbers separated by colons",
  ],
  [["--sed", "1"], "--sed"],
])("%j is invalid", (args, sentence) => {
  const options = parseOptions(args);
  expect(options !== "help" && "wrong" in options && options.wrong).toContain(sentence);
});

test("a run without a counterexample ends with 0 and writes no progress to a pipe", async () => {
  const { code, out, err } = await finished(
    start("--protocol", "gemini", "--runs", "20", "--seed", "20261122"),
  );
  expect(code).toBe(0);
  expect(out).toContain("gemini: 20 replies");
  expect(err).toBe("gemini: 20 replies, seed 20261122\n");
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("%s ends a run with %i", async (signal, expected) => {
  const child = start("--protocol", "gemini", "--runs", "1000000000", "--seed", "20261122");
  child.stderr?.once("data", () => child.kill(signal));
  const { code, err } = await finished(child);
  expect(code).toBe(expected);
  expect(err).toContain("Stopped at gemini:");
});
