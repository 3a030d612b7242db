import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  findPython,
  type PythonPackages,
  runScript,
  type StartedServer,
  serverFile,
  startScript,
} from "./python.ts";

const llamaPackages: PythonPackages = {
  server: "llama.cpp's server",
  requirements: "requirements.txt",
  modules: "gguf, xllamacpp",
};

/**
 * Starts llama.cpp's server with the model of `server/model.py`. All of its replies are the same
 * for one seed. The server ends with this process.
 * @throws MissingServerError if it is not installed.
 */
export async function startLlama(seed: number): Promise<StartedServer> {
  const python = await findLlama();
  const folder = await mkdtemp(join(tmpdir(), "fullstop-local-"));
  const model = join(folder, "model.gguf");
  await runScript(python, "model.py", [model, serverFile("template.jinja")]);
  const { url, stop } = await serveLlama(python, model, { seed });
  return { url, stop: () => stop().then(() => rm(folder, { recursive: true })) };
}

/**
 * A Python with llama.cpp's server.
 * @throws MissingServerError
 */
export const findLlama = (): Promise<string> => findPython(llamaPackages);

/** Starts the server with a model file, and with another template than the one in it. */
export const serveLlama = (
  python: string,
  model: string,
  { seed, template }: { readonly seed: number; readonly template?: string },
): Promise<StartedServer> =>
  startScript(python, "serve.py", [model, String(seed), ...(template ? [template] : [])]);
