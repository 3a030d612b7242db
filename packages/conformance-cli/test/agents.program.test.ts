import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { judge, report, type Verdict } from "@fullstop/conformance";
import { type Serving, serve } from "@fullstop/conformance/server";
import { wires } from "@fullstop/conformance/wires";
import { expect, test } from "vitest";
import { type AgentOptions, agentSubject } from "../src/agent/subject.ts";

const naive = fileURLToPath(new URL("../examples/naive/agent.mjs", import.meta.url));

const node = (code: string, ...more: readonly string[]): readonly string[] => [
  process.execPath,
  "--input-type=module",
  "-e",
  code,
  ...more,
];
async function verdicts(
  command: readonly string[],
  { only, ...options }: AgentOptions & { only?: string } = {},
): Promise<readonly Verdict[]> {
  const all: Verdict[] = [];
  for await (const verdict of judge(await agentSubject(command, options), { only, jobs: 2 }))
    all.push(verdict);
  return all;
}

/** An agent with a tool of these properties. It runs each call and sends this result. */
const agentWithTool = (properties: object, result: string): string => `
  const tools = [{ name: "look", description: "Look.", input_schema: { type: "object", properties: ${JSON.stringify(properties)} } }];
  const messages = [{ role: "user", content: "Look." }];
  for (let n = 0; n < 3; n++) {
    const body = JSON.stringify({ model: "claude", max_tokens: 9, messages, tools });
    const reply = await (await fetch(process.env.ANTHROPIC_BASE_URL + "/v1/messages", { method: "POST", body })).json();
    const calls = reply.stop_reason === "tool_use" ? reply.content.filter(({ type }) => type === "tool_use") : [];
    if (calls.length === 0) break;
    const content = calls.map(({ id, input }) => ({ type: "tool_result", tool_use_id: id, content: ${result} }));
    messages.push({ role: "assistant", content: reply.content }, { role: "user", content });
  }`;

test("a naive agent breaks these clauses and keeps the others", async () => {
  const found = await verdicts([process.execPath, naive], { timeoutMs: 120_000 });
  expect(found.filter(({ status }) => status === "broken").map(({ clause }) => clause.id)).toEqual([
    "stop.words",
    "stop.unknown-word",
    "stop.no-word",
    "stop.cut",
    "stop.no-terminal",
    "stop.used-up",
    "call.siblings",
    "call.cut-input",
    "call.invalid-json",
    "wire.malformed-frame",
    "error.in-band",
    "error.then-end",
    "recovery.bounded",
    "recovery.circle",
    "recovery.leaked",
  ]);
  const cut = found.find(({ clause }) => clause.id === "stop.cut");
  expect(cut && report(cut)).toMatch(/actual +runs write \{"path":"canary-1.txt"/);
  expect(cut && report(cut)).toMatch(/reply +.*data: /s);
});

test("without changed files, the result of a tool shows whether it ran", async () => {
  const code = agentWithTool({ place: { type: "string" } }, `"Nothing at " + input.place`);
  const [whole] = await verdicts(node(code), { only: "stop.whole" });
  expect(whole?.status, whole && report(whole)).toBe("kept");
  const [result] = await verdicts(node(code), { only: "history.result" });
  expect(result?.status, result && report(result)).toBe("kept");
  const [words] = await verdicts(node(code), { only: "stop.words" });
  expect(words?.status, words && report(words)).toBe("kept");
});

test("the model calls the named tool, and a tool that the agent does not offer is an error", async () => {
  const code = agentWithTool({ place: { type: "string" } }, `"Nothing."`);
  const subject = await agentSubject(node(code), { tool: "look" });
  expect(subject.runner.calls[0]).toMatchObject({
    name: "look",
    input: { place: expect.stringContaining("canary-1") },
  });
  await expect(agentSubject(node(code), { tool: "jump" })).rejects.toThrow(
    'The agent offers no tool named "jump". It offers look. Name one of them with --tool.',
  );
});

test("a tool whose calls cannot be distinguished is an error", async () => {
  await expect(
    agentSubject(node(agentWithTool({ sure: { type: "boolean" } }, `"Yes."`))),
  ).rejects.toThrow("No tool of the agent takes a text");
});

/**
 * An agent that keeps a call that it must not run in its messages, and continues with this content
 * after it.
 */
const agentThatKeepsCalls = (next: string): string => `
  const tools = [{ name: "look", description: "Look.", input_schema: { type: "object", properties: { place: { type: "string" } } } }];
  const messages = [{ role: "user", content: "Look." }];
  for (let n = 0; n < 3; n++) {
    const body = JSON.stringify({ model: "claude", max_tokens: 9, messages, tools });
    const reply = await fetch(process.env.ANTHROPIC_BASE_URL + "/v1/messages", { method: "POST", body });
    const { stop_reason, content } = await reply.json().catch(() => process.exit());
    const calls = content.filter(({ type }) => type === "tool_use");
    if (calls.length === 0) break;
    const ran = stop_reason === "tool_use";
    const results = calls.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: ran ? "Seen." : "It was not run." }));
    messages.push({ role: "assistant", content }, { role: "user", content: ran ? results : ${next} });
  }`;

test("a call that did not run may stay with a result that says so, but not without a result", async () => {
  const [beside] = await verdicts(node(agentThatKeepsCalls("results")), {
    only: "request.withheld",
  });
  expect(beside?.status, beside && report(beside)).toBe("kept");
  const keeps = node(agentThatKeepsCalls('"Go on."'));
  const [alone] = await verdicts(keeps, { only: "request.valid" });
  expect(alone?.broken[0]).toMatchObject({
    at: expect.stringContaining("one call"),
    actual: expect.stringContaining("ids were found without `tool_result` blocks"),
  });
  const [again] = await verdicts(keeps, { only: "request.withheld" });
  expect(again?.broken).toEqual([]);
  expect(again?.reason).toContain("request.valid shows that");
});

test("files that a program writes without a call are ignored", async () => {
  const own = `
  import { mkdirSync, writeFileSync } from "node:fs";
  mkdirSync(".sessions");
  writeFileSync(".sessions/" + crypto.randomUUID(), "log");`;
  const code = own + agentWithTool({ place: { type: "string" } }, `"Nothing at " + input.place`);
  const [words] = await verdicts(node(code), { only: "stop.words" });
  expect(words?.status, words && report(words)).toBe("kept");
});

test("an agent that sends other requests is an error with these requests", async () => {
  const code = `const reply = await fetch(process.env.OPENAI_BASE_URL + "/files"); console.log(reply.status, await reply.text());`;
  await expect(agentSubject(node(code))).rejects.toThrow(
    /It requested GET \/v1\/files\. It ended with exit code 0\. It printed: 404 .*This server only plays a model\. It has no GET \/v1\/files\./,
  );
});

test("an agent that sends no request is an error with what it printed", async () => {
  await expect(
    agentSubject(node(`console.log("I have no key.")`), { wire: wires.gemini }),
  ).rejects.toThrow(
    /made no request that offers tools in any of the protocols gemini-generate-content\. .*`baseURL: process\.env\.ANTHROPIC_BASE_URL`\. It ended with exit code 0\. It printed: I have no key\.$/,
  );
});

test("a program that does not exist is an error", async () => {
  await expect(agentSubject(["no-such-program"])).rejects.toThrow(
    "no-such-program cannot be started: it was not found.",
  );
});

/**
 * A program that sends the path of its folder and starts a child with an open connection. Neither
 * ends by itself.
 */
const programThatStays = (url: string): string => `
  import { spawn } from "node:child_process";
  await fetch("${url}", { method: "POST", body: process.cwd() });
  const child = 'fetch("${url}", { method: "POST", body: "child" }).then((reply) => setInterval(() => reply, 1000))';
  spawn(process.execPath, ["-e", child], { stdio: "inherit" });
  setInterval(() => undefined, 1000);`;

/** A server for `programThatStays`. `ended` resolves when the connection of the child ends. */
async function serveChild(begun: () => void): Promise<{ serving: Serving; ended: Promise<void> }> {
  const ended = Promise.withResolvers<void>();
  const endless = function* (): Generator<Uint8Array<ArrayBuffer>> {
    try {
      begun();
      for (;;) yield new Uint8Array(65_536);
    } finally {
      ended.resolve();
    }
  };
  const serving = await serve(({ body }) => ({ chunks: body === "child" ? endless() : [] }));
  return { serving, ended: ended.promise };
}

test("a run whose time is over is killed with everything that it started, and its folder is removed", async () => {
  const { serving, ended } = await serveChild(() => undefined);
  try {
    await expect(
      agentSubject(node(programThatStays(serving.url)), { startTimeoutMs: 2000 }),
    ).rejects.toThrow("It did not begin its work within 2 s.");
    // On a machine so slow that the child never began, there is nothing to kill.
    if (serving.requests.length > 1) await ended;
    expect(existsSync(serving.requests[0]?.body ?? "/")).toBe(false);
  } finally {
    await serving.close();
  }
});

/** A program that starts a child in a new session, and ends when the child has begun. */
const programWithStray = (url: string): string => `
  import { spawn } from "node:child_process";
  const child = 'const { body } = await fetch("${url}", { method: "POST", body: "child" }); console.log("begun"); for await (const _ of body);';
  const started = spawn(process.execPath, ["--input-type=module", "-e", child], { detached: true, stdio: ["ignore", "pipe", "ignore"] });
  started.stdout.once("data", () => process.exit());`;

test.runIf(process.platform === "linux")(
  "a process that left the group of its program is ended with the run",
  async () => {
    const { serving, ended } = await serveChild(() => undefined);
    try {
      await expect(agentSubject(node(programWithStray(serving.url)))).rejects.toThrow(
        "made no request that offers tools",
      );
      await ended;
    } finally {
      await serving.close();
    }
  },
);

test("an abort kills the program", async () => {
  const stop = new AbortController();
  const { serving, ended } = await serveChild(() => stop.abort(new Error("Enough.")));
  try {
    await expect(
      agentSubject(node(programThatStays(serving.url)), { signal: stop.signal }),
    ).rejects.toThrow("Enough.");
    await ended;
    expect(existsSync(serving.requests[0]?.body ?? "/")).toBe(false);
  } finally {
    await serving.close();
  }
});
