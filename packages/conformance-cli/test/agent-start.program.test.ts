import { existsSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { agentSubject } from "../src/index.ts";
import { createFolder } from "./command.ts";

const folder = createFolder();
const { put, run } = folder;
afterAll(() => folder[Symbol.dispose]());
const naive = fileURLToPath(new URL("../examples/naive/agent.mjs", import.meta.url));
const node = (code: string): readonly string[] => [
  process.execPath,
  "--input-type=module",
  "-e",
  code,
];

/** Asks the model once, and offers these tools with these required texts. */
const askOnce = (tools: Readonly<Record<string, readonly string[]>>): string => `
  const tools = Object.entries(${JSON.stringify(tools)}).map(([name, required]) => ({ type: "function", name,
    parameters: { type: "object", required, properties: Object.fromEntries(required.map((key) => [key, { type: "string" }])) } }));
  const body = JSON.stringify({ model: "gpt-5.5", input: "Go.", tools });
  await fetch(process.env.OPENAI_BASE_URL + "/responses", { method: "POST", body });`;

const choices: readonly (readonly [
  chosen: string,
  tools: Readonly<Record<string, readonly string[]>>,
])[] = [
  [
    "write_file (file_path, content)",
    {
      update_topic: ["title", "summary"],
      run_shell_command: ["command"],
      replace: ["file_path", "old_string", "new_content"],
      write_file: ["file_path", "content"],
    },
  ],
  ["bash (command)", { read: ["path"], agent: ["description", "prompt"], bash: ["command"] }],
  ["read (path)", { read: ["path"] }],
];
test("a tool that writes is preferred to one that runs commands, and that to any other", async () => {
  for (const [chosen, tools] of choices) {
    const subject = await agentSubject(node(askOnce(tools))).catch(String);
    expect(subject).toContain(`a complete call of ${chosen.split(" ")[0]} `);
    expect(subject).toContain("If another tool shows its effect, name it with --tool.");
  }
});

test("parameters that are not a JSON Schema are named as such", async () => {
  const list = askOnce({ write: ["path"] }).replace(
    '{ type: "object", required,',
    '[{ name: "path" }] || {',
  );
  for (const options of [{}, { tool: "write" }]) {
    const error = await agentSubject(node(list), options).catch(String);
    expect(error).toContain("The parameters of the tool write are not a JSON Schema: [{");
  }
});

test("the tool that was chosen is named on standard error", async () => {
  const { stderr } = await run(["agent", "--only", "history", "--", process.execPath, naive]);
  expect(stderr).toBe(
    "fullstop: The model calls the tool write (path, content). Name another with --tool.\n",
  );
});

test("an agent whose calls leave no trace later is an error that names the tool", async () => {
  // Its first call is run and answered, and it answers no call of a later run.
  put("once.txt", "");
  const once = `
    import { existsSync, rmSync } from "node:fs";
    const flag = ${JSON.stringify(join(folder.path, "once.txt"))};
    const tools = [{ type: "function", name: "look", parameters: { type: "object", required: ["place"], properties: { place: { type: "string" } } } }];
    const ask = async (input) => (await fetch(process.env.OPENAI_BASE_URL + "/responses", { method: "POST", body: JSON.stringify({ model: "gpt-5.5", input, tools }) })).json();
    const { output } = await ask([{ role: "user", content: "Look." }]);
    const [call] = output.filter(({ type }) => type === "function_call");
    if (call && existsSync(flag)) {
      rmSync(flag);
      await ask([{ role: "user", content: "Look." }, call, { type: "function_call_output", call_id: call.call_id, output: "Seen." }]);
    }`;
  const { code, stderr } = await run(["agent", "--only", "history", "--", ...node(once)]);
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(
      /cannot be judged.* The model called the tool look\. If another shows its effect, name it with --tool\.\n$/s,
    ),
  ]);
});

const startProblems: Readonly<Record<string, readonly [command: readonly string[], says: string]>> =
  {
    "that is not there": [
      ["no-such-program"],
      "no-such-program cannot be started: it was not found. Check its name, or give its path.",
    ],
    "that ends before a request": [
      node(`console.error("No module named agno"); process.exit(3);`),
      "It ended with exit code 3. It printed: No module named agno",
    ],
  };
for (const [what, [words, says]] of Object.entries(startProblems))
  test(`a program ${what} is an error with the reason`, async () => {
    const { code, stderr } = await run(["agent", "--", ...words]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
  });

test("an error names a program as it was given, and no folder of the machine", async () => {
  put("not-executable", "echo");
  const { stderr } = await run(["agent", "--", "./not-executable"]);
  expect(stderr).toBe(
    "fullstop: ./not-executable cannot be started: it is not executable. Make it so, or name its interpreter before it.\n",
  );
  const printed = await run(["agent", "--", ...node("console.log(process.cwd());")]);
  expect(printed.stderr).toContain("It printed: {folder}\n");
});

test("the time limit counts from the first request, and the start has its own", async () => {
  // The start alone takes longer than the time of a run.
  const slow = `await new Promise((resolve) => setTimeout(resolve, 5500)); ${askOnce({ bash: ["command"] })}`;
  await expect(agentSubject(node(slow), { timeoutMs: 5000 })).rejects.toThrow(
    "changed no file and gave no result",
  );
  const staying = `${askOnce({ bash: ["command"] })} setInterval(() => undefined, 1000);`;
  await expect(agentSubject(node(staying), { timeoutMs: 500 })).rejects.toThrow(
    "It did not end within 0.5 s.",
  );
});

const askModels = `
  const ask = async (base, path, headers) => console.log(await (await fetch(base + path, { headers })).text());
  const { OPENAI_BASE_URL: openai, ANTHROPIC_BASE_URL: anthropic, GOOGLE_GEMINI_BASE_URL: gemini } = process.env;
  await ask(openai, "/models", { authorization: "Bearer x" });
  await ask(openai, "/models/my-model", { authorization: "Bearer x" });
  await ask(anthropic, "/v1/models", { "anthropic-version": "2023-06-01" });
  await ask(anthropic, "/v1/models/my-model", { "x-api-key": "x" });
  await ask(gemini, "/v1beta/models", {});
  await ask(gemini, "/v1beta/models/my-model", {});`;
test("models are listed and found in the form of each vendor", async () => {
  const failure = await agentSubject(node(askModels)).catch(String);
  const bodies = String(failure)
    .split("It printed: ")[1]
    ?.split("\n")
    .map((line) => JSON.parse(line));
  expect(bodies).toMatchObject([
    { object: "list", data: [{ object: "model" }] },
    { id: "my-model", object: "model" },
    { data: [{ type: "model" }], has_more: false },
    { id: "my-model", type: "model" },
    { models: [{ supportedGenerationMethods: expect.any(Array) }] },
    { name: "models/my-model" },
  ]);
});

/** A program that starts a child in a session of its own, without its environment. */
const programWithDaemon = (options: string): string => `
  import { spawn } from "node:child_process";
  const child = "process.stdout.write(String(process.pid)); setInterval(() => undefined, 1000);";
  const started = spawn(process.execPath, ["-e", child, process.cwd()].slice(0, ${options.includes("folder") ? 3 : 2}),
    { detached: true, stdio: ["ignore", "pipe", "ignore"], env: {}, cwd: ${options.includes("root") ? '"/"' : "process.cwd()"} });
  started.stdout.once("data", (pid) => { console.log("pid", String(pid)); process.exit(); });`;

test.runIf(process.platform === "linux")(
  "a daemon without the environment of the run is found by the folder of the run",
  async () => {
    for (const options of ["works in it", "root, but the folder is an argument"]) {
      const failure = await agentSubject(node(programWithDaemon(options))).catch(String);
      const pid = /pid (\d+)/.exec(String(failure))?.[1];
      expect(pid, String(failure)).toBeDefined();
      // A process that was killed may remain as a zombie, which works nowhere.
      const isRunning = existsSync(`/proc/${pid}`) && canRead(`/proc/${pid}/exe`);
      expect(isRunning, options).toBe(false);
    }
  },
);
function canRead(link: string): boolean {
  try {
    return readlinkSync(link) !== "";
  } catch {
    return false;
  }
}
