import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { callBlock, messageEnd, messageStart, messagesRequest } from "./messages.ts";
import { startServer } from "./server.ts";

const register = fileURLToPath(new URL("../src/register.ts", import.meta.url));

/** Runs a program that prints what the global `fetch` gives. */
async function run(url: string, flags: readonly string[], env = {}): Promise<string> {
  const program = `
    const response = await fetch(process.argv[1], {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: ${JSON.stringify(JSON.stringify(messagesRequest))},
    });
    console.log(response.status, await response.text());`;
  const args = ["--conditions=@fullstop/source", ...flags, "--input-type=module", "-e", program];
  const child = spawn(process.execPath, [...args, url], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      ...env,
    },
  });
  const [output] = await Promise.all([text(child.stdout), once(child, "close")]);
  return output;
}

test("node --import guards the global fetch of a program", async () => {
  const cut = messageStart + callBlock(0, "toolu_1", '{"path":"a') + messageEnd("max_tokens", 1024);
  const server = await startServer(() => ({ chunks: [cut] }));
  try {
    const guarded = [`--import=${register}`];
    expect(await run(`${server.url}/v1/messages`, [])).toContain("tool_use");
    expect(await run(`${server.url}/v1/messages`, guarded)).not.toContain("tool_use");
    const strict = await run(`${server.url}/api/chat`, guarded, { FULLSTOP_GUARD: "strict" });
    expect(strict).toMatch(/^400 /);
  } finally {
    await server.close();
  }
});
