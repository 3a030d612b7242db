import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("..", import.meta.url));
const root = join(here, "../..");

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** A folder that looks like the repository, for a new provider. */
export interface Workspace {
  read(path: string): string;
  write(path: string, text: string): void;
  /** The existing packages and changesets. */
  entries(): readonly string[];
  /** Runs `pnpm new-provider`; this script replaces pnpm for the install. */
  newProvider(args: readonly string[], pnpm?: string): Promise<Ended>;
  /** Runs a program of the repository in a folder of the workspace. */
  run(folder: string, program: string, args: readonly string[]): Promise<Ended>;
  remove(): void;
}

export function createWorkspace(): Workspace {
  const folder = mkdtempSync(join(tmpdir(), "new-provider-"));
  for (const file of ["package.json", "pnpm-workspace.yaml", "pnpm-lock.yaml", ".biome.json"])
    cpSync(join(root, file), join(folder, file));
  mkdirSync(join(folder, ".changeset"));
  mkdirSync(join(folder, "packages/provider-taken"), { recursive: true });
  /** The tests and types of a provider resolve packages as from this folder. */
  symlinkSync(join(here, "node_modules"), join(folder, "node_modules"), "junction");
  const node = async (
    cwd: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
  ): Promise<Ended> => {
    const child = spawn(process.execPath, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => (output += text));
    const [code] = (await once(child, "close")) as [number | null];
    return { code, output };
  };
  return {
    read: (path) => readFileSync(join(folder, path), "utf8"),
    write: (path, text) => writeFileSync(join(folder, path), text),
    entries: () =>
      ["packages", ".changeset"].flatMap((parent) => readdirSync(join(folder, parent))),
    newProvider(args, pnpm = "exit 1") {
      const path = join(folder, "pnpm");
      writeFileSync(path, `#!/bin/sh\n${pnpm}\n`);
      chmodSync(path, 0o755);
      return node(folder, [join(here, "src/main.ts"), ...args], { npm_execpath: path });
    },
    run: (inside, program, args) => node(join(folder, inside), [binary(program), ...args]),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** The file of a program. */
function binary(program: string): string {
  const home = join(here, "node_modules", program);
  const { bin } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as {
    readonly bin: Readonly<Record<string, string>>;
  };
  return join(home, ...Object.values(bin).slice(0, 1));
}
