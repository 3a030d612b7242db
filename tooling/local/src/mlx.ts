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

const mlxPackages: PythonPackages = {
  server: "MLX's server",
  requirements: "requirements-mlx.txt",
  modules: "mlx_lm.server",
};

/**
 * What a model of `server/mlx_models.py` writes. `one`: a call with a random text. `two`: two
 * calls. `glm`, `longcat`: a call with its values between tags. `thinking`: thoughts, then a call.
 */
export type MlxModel = "glm" | "longcat" | "one" | "thinking" | "two";

/** `mlx_lm.server`, on a port of the loopback. */
export interface MlxServer extends StartedServer {
  /** How the server knows a model: by its folder. */
  pathOf(model: MlxModel): string;
}

/**
 * Starts `mlx_lm.server` without access to Hugging Face. The server ends with this process.
 * @throws MissingServerError if it is not installed.
 */
export async function startMlx(): Promise<MlxServer> {
  const python = await findPython(mlxPackages);
  const folder = await mkdtemp(join(tmpdir(), "fullstop-local-"));
  const pathOf = (model: MlxModel): string => join(folder, model);
  await runScript(python, "mlx_models.py", [folder, serverFile("template.jinja")]);
  const env = { HF_HUB_OFFLINE: "1", HF_HOME: join(folder, "hub") };
  const { url, stop } = await startScript(python, "mlx_serve.py", [pathOf("one")], env);
  return { url, pathOf, stop: () => stop().then(() => rm(folder, { recursive: true })) };
}
