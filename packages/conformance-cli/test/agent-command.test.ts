import { once } from "node:events";
import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Report } from "@fullstop/conformance";
import { serve } from "@fullstop/conformance/server";
import { afterAll, expect, test } from "vitest";
import { folder } from "./conformance.ts";

const there = folder();
const { put, run, start } = there;
afterAll(() => there[Symbol.dispose]());
const naive = fileURLToPath(new URL("../examples/naive/agent.mjs", import.meta.url));

test("a program is asked, and its report says how to ask it again", async () => {
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
    { wire: "anthropic-messages", findings: { "history.result": { status: "kept", checks: 3 } } },
  ]);
  expect(subjects[0]?.command).toBe(
    `npx @fullstop/conformance-cli agent -- ${process.execPath} ${naive}`,
  );
});

test("one that cannot be judged ends with 2, and a sentence that says why", async () => {
  const { code, stderr } = await run(["agent", "--tool", "jump", "--", process.execPath, naive]);
  expect([code, stderr]).toEqual([
    2,
    'conformance: The agent offers no tool named "jump". It offers write.\n',
  ]);
});

test("files are named in full to a program that starts elsewhere; words stay, also where a folder has their name", async () => {
  put("says.mjs", "console.log(JSON.stringify(process.argv.slice(2)));");
  mkdirSync(join(there.path, "chat"));
  const { code, stderr } = await run([
    "agent",
    "--",
    process.execPath,
    "says.mjs",
    "chat",
    ".",
    "./chat",
    "says.mjs",
  ]);
  const here = (name: string) => join(realpathSync(there.path), name);
  expect(code).toBe(2);
  expect(stderr).toContain(JSON.stringify(["chat", ".", here("chat"), here("says.mjs")]));
});

test("Ctrl-C ends what runs, and leaves no folder", async () => {
  const here = Promise.withResolvers<string>();
  const serving = await serve(({ body }) => {
    here.resolve(body);
    return { chunks: [] };
  });
  try {
    put(
      "staying.mjs",
      `await fetch("${serving.url}", { method: "POST", body: process.cwd() });\nsetInterval(() => undefined, 1000);`,
    );
    const child = start("agent", "--", process.execPath, "staying.mjs");
    const cwd = await here.promise;
    expect(existsSync(cwd)).toBe(true);
    child.kill("SIGINT");
    const [code] = await once(child, "exit");
    expect([code, existsSync(cwd)]).toEqual([130, false]);
  } finally {
    await serving.close();
  }
});
