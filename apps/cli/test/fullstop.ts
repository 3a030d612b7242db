import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

export const main: string = fileURLToPath(new URL("../src/main.ts", import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
/** The command as a process of its own, with a temporary folder of its own. */
export interface Started {
  readonly child: ChildProcess & { readonly stdout: NonNullable<ChildProcess["stdout"]> };
  readonly ended: Promise<Ended>;
  /** What it has left in its temporary folder. */
  left(): readonly string[];
  [Symbol.dispose](): void;
}

export function start(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Started {
  const folder = mkdtempSync(join(tmpdir(), "cli-test-"));
  const temporary = join(folder, "tmp");
  mkdirSync(temporary);
  const child = spawn(process.execPath, ["--conditions=@fullstop/source", main, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      TMPDIR: temporary,
      TEMP: temporary,
      ...env,
    },
  });
  const collect = async (): Promise<Ended> => {
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout).catch(() => ""),
      text(child.stderr),
      once(child, "close"),
    ]);
    return { code, stdout, stderr };
  };
  return {
    child,
    ended: collect(),
    left: () => readdirSync(temporary),
    [Symbol.dispose]: () => {
      child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The command to its end. */
export async function fullstop(
  args: readonly string[],
  env?: Readonly<Record<string, string>>,
): Promise<Ended & { readonly left: readonly string[] }> {
  using started = start(args, env);
  const ended = await started.ended;
  return { ...ended, left: started.left() };
}

/** The lines that are wider, except those of one word. */
export const tooWide = (output: string, width: number): readonly string[] =>
  output.split("\n").filter((line) => line.length > width && /\S\s+\S/.test(line.trim()));
