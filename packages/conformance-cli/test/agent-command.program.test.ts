import { once } from "node:events";
import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Report } from "@fullstop/conformance";
import { serve } from "@fullstop/conformance/server";
import { afterAll, expect, test } from "vitest";
import { createFolder } from "./command.ts";

const folder = createFolder();
const { put, run, start } = folder;
afterAll(() => folder[Symbol.dispose]());
const naive = fileURLToPath(new URL("../examples/naive/agent.mjs", import.meta.url));

test("a program is judged, and its report has the command that judges it again", async () => {
  const { code, stdout } = await run([
    "agent",
    "--only",
    "history",
    "--reporter",
    "json",
    "--",
    process.execPath,
    naive,
  ]);
  expect(code).toBe(0);
  const { subjects } = JSON.parse(stdout) as Report;
  expect(subjects).toMatchObject([
    { wire: "anthropic-messages", findings: { "history.result": { status: "kept" } } },
  ]);
  expect(subjects[0]?.command).toBe("npx fullstop conformance agent -- node agent.mjs");
});

test("a program that cannot be judged ends with 2 and the reason", async () => {
  const { code, stderr } = await run(["agent", "--tool", "jump", "--", process.execPath, naive]);
  expect([code, stderr]).toEqual([
    2,
    'fullstop: The agent offers no tool named "jump". It offers write. Name one of them with --tool.\n',
  ]);
});

test("arguments that name files become absolute, and a bare name of a folder stays as it is", async () => {
  put("print.mjs", "console.log(JSON.stringify(process.argv.slice(2)));");
  mkdirSync(join(folder.path, "chat"));
  const { code, stderr } = await run([
    "agent",
    "--",
    process.execPath,
    "print.mjs",
    "chat",
    ".",
    "./chat",
    "print.mjs",
  ]);
  const inFolder = (name: string) => join(realpathSync(folder.path), name);
  expect(code).toBe(2);
  expect(stderr).toContain(JSON.stringify(["chat", ".", inFolder("chat"), inFolder("print.mjs")]));
});

test("Ctrl-C ends the program and removes its folder", async () => {
  const workFolder = Promise.withResolvers<string>();
  const serving = await serve(({ body }) => {
    workFolder.resolve(body);
    return { chunks: [] };
  });
  try {
    put(
      "staying.mjs",
      `await fetch("${serving.url}", { method: "POST", body: process.cwd() });\nsetInterval(() => undefined, 1000);`,
    );
    const child = start("agent", "--", process.execPath, "staying.mjs");
    const cwd = await workFolder.promise;
    expect(existsSync(cwd)).toBe(true);
    child.kill("SIGINT");
    const [code] = await once(child, "exit");
    expect([code, existsSync(cwd)]).toEqual([130, false]);
  } finally {
    await serving.close();
  }
});
