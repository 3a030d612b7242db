import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort, type Service, serve } from "@tooling/test/services";
import { findOllama } from "./find-ollama.ts";

/** A model: what `ollama create` reads from a Modelfile. */
export interface Modelfile {
  readonly template: string;
  readonly parser?: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/**
 * Starts Ollama's server with models of its own, in an empty home. It ends with this process at the
 * latest.
 * @param file what all of the models are made from, as GGUF
 * @throws MissingServiceError if Ollama is not installed.
 */
export async function startOllama(
  file: Buffer,
  models: Readonly<Record<string, Modelfile>>,
  env: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const program = await findOllama();
  const folder = await mkdtemp(join(tmpdir(), "fullstop-ollama-"));
  const url = `http://127.0.0.1:${await findFreePort()}`;
  const server = await serve({
    command: [program, "serve"],
    folder,
    log: join(folder, "log"),
    env: {
      HOME: folder,
      OLLAMA_HOST: url,
      OLLAMA_MODELS: join(folder, "models"),
      OLLAMA_NUM_PARALLEL: "1",
      OLLAMA_KEEP_ALIVE: "-1",
      OLLAMA_NO_CLOUD: "1",
      ...env,
    },
    stopSignal: "SIGTERM",
    url,
    isReady: async () =>
      (await fetch(`${url}/api/version`, { signal: AbortSignal.timeout(5000) })).ok,
  }).catch(async (thrown: unknown) => {
    await rm(folder, { recursive: true, force: true });
    throw thrown;
  });
  await createModels(url, file, models).catch(async (thrown: unknown) => {
    await server.stop();
    throw thrown;
  });
  return server;
}

async function createModels(
  url: string,
  file: Buffer,
  models: Readonly<Record<string, Modelfile>>,
): Promise<void> {
  const digest = `sha256:${createHash("sha256").update(file).digest("hex")}`;
  await post(`${url}/api/blobs/${digest}`, new Uint8Array(file));
  for (const [model, modelfile] of Object.entries(models)) {
    const body = { model, files: { "model.gguf": digest }, stream: false, ...modelfile };
    await post(`${url}/api/create`, JSON.stringify(body));
  }
}

async function post(url: string, body: string | Uint8Array<ArrayBuffer>): Promise<void> {
  const response = await fetch(url, { method: "POST", body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answers ${response.status}: ${text}`);
}
