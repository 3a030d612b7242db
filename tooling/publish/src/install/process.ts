import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root: string = fileURLToPath(new URL("../../../..", import.meta.url)).replace(
  /[\\/]$/,
  "",
);
/** Downloads that are kept. */
export const cache: string = join(root, "node_modules/.cache");

const running = new Set<ChildProcess>();
const folders = new Set<string>();

process.once("exit", () => {
  for (const child of running) child.kill();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.once(signal, () => process.exit(128 + constants.signals[signal]));

/** Creates an empty folder outside the repository. It is deleted when this process ends. */
export function scratch(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `fullstop-${name}-`));
  folders.add(folder);
  return folder;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Starts a program. It ends at the latest when this process ends. */
export function start(
  [command, ...args]: readonly [string, ...string[]],
  { cwd, env }: RunOptions,
): ChildProcess {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  child.once("close", () => running.delete(child));
  return child;
}

/** Runs a program. Resolves with its standard output; rejects with all its output. */
export function runProgram(
  command: readonly [string, ...string[]],
  where: RunOptions,
): Promise<string> {
  const child = start(command, where);
  const all: Buffer[] = [];
  const out: Buffer[] = [];
  child.stdout?.on("data", (piece: Buffer) => out.push(piece) && all.push(piece));
  child.stderr?.on("data", (piece: Buffer) => all.push(piece));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0) resolve(Buffer.concat(out).toString());
      else
        reject(
          new Error(
            `\`${command.join(" ")}\` ended with ${code ?? signal}:\n${Buffer.concat(all).toString()}`,
          ),
        );
    });
  });
}

/** Prints the name of a step, and then its duration. */
export async function step<T>(what: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  process.stderr.write(`${what} …`);
  try {
    const made = await work();
    process.stderr.write(` ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
    return made;
  } catch (thrown) {
    process.stderr.write(" failed\n");
    throw thrown;
  }
}
