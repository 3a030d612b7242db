import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Report } from "@fullstop/conformance";
import { serve } from "@fullstop/conformance/server";
import { afterAll, expect, test } from "vitest";

const main = fileURLToPath(new URL("../../../apps/cli/src/main.ts", import.meta.url));
/** Replies are read with the packages of the folder where the command runs. */
const cwd = fileURLToPath(new URL("../../provider-openai/", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "gateway-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A gateway that passes everything on, except for what `change` does to the reply. */
const gatewayProgram = (change: string): string => `
import { createServer } from "node:http";
const [port, upstream] = process.argv.slice(2);
console.log("pid", process.pid);
createServer(async (request, response) => {
  if (request.method !== "POST") return response.end("ready");
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const headers = { "content-type": request.headers["content-type"] };
  try {
    const reply = await fetch(upstream + request.url, { method: "POST", body: Buffer.concat(pieces), headers });
    let text = await reply.text();
    ${change}
    response.writeHead(reply.status, { "content-type": reply.headers.get("content-type") });
    response.end(text);
  } catch {
    response.destroy();
  }
}).listen(Number(port), "127.0.0.1");
`;
const write = (name: string, program: string): string => {
  const file = join(folder, name);
  writeFileSync(file, program);
  return file;
};
const faithful = write("faithful.mjs", gatewayProgram(""));
const relabels = write(
  "relabels.mjs",
  gatewayProgram(`text = text.replaceAll('"finish_reason":"length"', '"finish_reason":"stop"');`),
);
const front = "--front=chat=http://127.0.0.1:{port}/v1";

const start = (args: readonly string[], from = cwd) =>
  spawn(
    process.execPath,
    ["--conditions=@fullstop/source", main, "conformance", "gateway", ...args],
    {
      cwd: from,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NO_COLOR: "1", NODE_PATH: "" },
    },
  );

const run = (...args: readonly string[]) => runFrom(cwd, ...args);
async function runFrom(from: string, ...args: readonly string[]) {
  const child = start(args, from);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code, stdout, stderr };
}
const startWords = (program: string): readonly string[] => [
  "--",
  process.execPath,
  program,
  "{port}",
  "{upstream}",
];

test("a faithful gateway is started, judged and ended", async () => {
  const reply = "--reply=openai-chat/text-only";
  const { code, stdout, stderr } = await run(front, reply, ...startWords(faithful));
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/openai-chat → openai-chat: .*; \d+ kept, \d+ not asked/);
});

test("a gateway of Interactions is judged", async () => {
  const google = fileURLToPath(new URL("../../provider-google/", import.meta.url));
  const asked = ["--front=interactions=http://127.0.0.1:{port}", "--only=break"];
  const { code, stdout, stderr } = await runFrom(google, ...asked, ...startWords(faithful));
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/gemini-interactions → gemini-interactions: .*; [1-9]\d* kept/);
});

test("a finding has an id, a severity and both sides, and the report has its command", async () => {
  const { code, stdout } = await run(
    front,
    "--reply=openai-chat/one-call-length",
    "--only=relabel.limit",
    "--reporter=json",
    ...startWords(relabels),
  );
  expect(code).toBe(1);
  const { subjects } = JSON.parse(stdout) as Report;
  expect(subjects).toMatchObject([
    {
      name: "openai-chat → openai-chat",
      command: `npx fullstop conformance gateway --front openai-chat=http://127.0.0.1:{port}/v1 --behind openai-chat -- ${process.execPath} ${relabels} {port} {upstream}`,
      findings: { "relabel.limit": { status: "broken", checks: 4 } },
    },
  ]);
  expect(subjects[0]?.findings["relabel.limit"]?.broken[0]).toMatchObject({
    id: "openai-chat/one-call-length",
    severity: "a call runs that must not",
  });
});

test("a gateway that runs already is asked with --upstream-port", async () => {
  const { code, stderr } = await run("--front=chat=http://127.0.0.1:9/v1");
  expect(code).toBe(2);
  expect(stderr).toContain("--upstream-port");
});

test("a port that is taken is named", async () => {
  const serving = await serve(() => ({ chunks: [] }));
  try {
    const { port } = new URL(serving.url);
    const { code, stderr } = await run(
      "--front=chat=http://127.0.0.1:9/v1",
      `--upstream-port=${port}`,
    );
    expect(code).toBe(2);
    expect(stderr).toMatch(/EADDRINUSE.*Give --upstream-port another port/);
  } finally {
    await serving.close();
  }
});

test("a gateway that sends nothing to upstream cannot be judged", async () => {
  const serving = await serve(() => ({
    status: 401,
    headers: { "content-type": "application/json" },
    chunks: [new TextEncoder().encode('{"error":{"message":"Which key?"}}')],
  }));
  const free = await serve(() => ({ chunks: [] }));
  const { port } = new URL(free.url);
  await free.close();
  try {
    const { code, stderr } = await run(`--front=chat=${serving.url}/v1`, `--upstream-port=${port}`);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /openai-chat → openai-chat cannot be judged: no request arrived at upstream .* with the status 401: .*Which key\?/,
    );
  } finally {
    await serving.close();
  }
});

test("a gateway that ends by itself is reported with what it printed", async () => {
  const program = write("ends.mjs", 'console.log("no licence");');
  const { code, stderr } = await run(front, ...startWords(program));
  expect([code, stderr]).toEqual([
    2,
    "fullstop: The gateway ended by itself. It printed: no licence\n\n",
  ]);
});

test("a protocol without its package is named with what to install", async () => {
  const { code, stderr } = await run(
    "--front=anthropic=http://127.0.0.1:{port}",
    ...startWords(faithful),
  );
  expect(code).toBe(2);
  expect(stderr).toContain("npm install @fullstop/provider-anthropic @anthropic-ai/sdk");
});

test.for([
  ["--front=soap=http://127.0.0.1:1", "The protocols are anthropic, openai-chat"],
  ["--front=chat", "chat=http://127.0.0.1:4000"],
  ["--header=nothing", 'Write a header as "name: value".'],
  ["--upstream-port=0", "from 1 to 65535"],
])("%s is refused", async ([option = "", message = ""]) => {
  const { code, stderr } = await run(option, "--front=chat=http://127.0.0.1:1/v1");
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

test("Ctrl-C ends the gateway", async () => {
  const silent = write(
    "silent.mjs",
    gatewayProgram("await new Promise(() => setInterval(() => undefined, 1000));").replace(
      'console.log("pid", process.pid);',
      `await fetch(process.argv[4], { method: "POST", body: String(process.pid) });`,
    ),
  );
  const pid = Promise.withResolvers<number>();
  const serving = await serve(({ body }) => {
    pid.resolve(Number(body));
    return { chunks: [] };
  });
  try {
    const child = start([front, ...startWords(silent), serving.url]);
    const gateway = await pid.promise;
    child.kill("SIGINT");
    const [code] = await once(child, "exit");
    expect(code).toBe(130);
    expect(() => process.kill(gateway, 0)).toThrow("ESRCH");
  } finally {
    await serving.close();
  }
});
