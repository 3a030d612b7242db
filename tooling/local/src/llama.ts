import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { findPython } from "./python.ts";

/** llama.cpp's server, on a port of the loopback. */
export interface LlamaServer {
  readonly url: string;
  stop(): Promise<void>;
}

const scriptOf = (name: string): string =>
  fileURLToPath(new URL(`../server/${name}`, import.meta.url));

/**
 * Starts llama.cpp's server with the model of `server/model.py`. All of its replies are the same
 * for one seed. The server ends with this process.
 * @throws MissingServerError if it is not installed.
 */
export async function startLlama(seed: number): Promise<LlamaServer> {
  const python = await findPython();
  const folder = await mkdtemp(join(tmpdir(), "fullstop-local-"));
  const model = join(folder, "model.gguf");
  await promisify(execFile)(python, [scriptOf("model.py"), model, scriptOf("template.jinja")]);
  const server = spawn(python, [scriptOf("serve.py"), model, String(seed)], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const ended = once(server, "exit");
  const lines = createInterface(server.stdout);
  const line = await Promise.race([once(lines, "line"), ended]);
  const [url] = line as readonly unknown[];
  if (typeof url !== "string")
    throw new Error("llama.cpp's server ended before it listened. Start server/serve.py by hand.");
  return {
    url,
    stop: async () => {
      server.stdin.end();
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
