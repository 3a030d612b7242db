import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { cache } from "@tooling/publish/process";

/** A process that this command started. It ends with this command at the latest. */
export interface WorkerProcess {
  /** Resolves when its programs are loaded, with its port if it has one, or when it has ended. */
  readonly ready: Promise<number | undefined>;
  /** Resolves when it has a run, or when it has ended. */
  readonly opened: Promise<void>;
  readonly ended: Promise<WorkerEnd>;
  hasEnded(): boolean;
  signal(name: "SIGKILL" | "SIGSTOP" | "SIGCONT" | "SIGTERM"): void;
}
export interface WorkerEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last text of its standard error. */
  readonly errors: string;
}

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

const source = (name: string): string =>
  fileURLToPath(new URL(`./worker/${name}`, import.meta.url));

export type ProgramName = "main.ts" | "queue.ts" | "restate.ts" | "dbos.ts";

/** Starts a program of the folder `worker`. `fileBlocks`: no file may have more blocks of 512 bytes. */
export function startWorker(
  program: ProgramName,
  spec: object,
  fileBlocks?: number,
): WorkerProcess {
  const flags = ["--conditions=@fullstop/source", source(program), JSON.stringify(spec)];
  const limit = ["-c", `ulimit -f ${fileBlocks}; exec "$@"`, "sh", process.execPath, ...flags];
  const child = spawn(
    fileBlocks === undefined ? process.execPath : "sh",
    fileBlocks === undefined ? flags : limit,
    {
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...process.env, NODE_COMPILE_CACHE: join(cache, "durable/compiled") },
    },
  );
  running.add(child);
  child.stdin.on("error", () => {}); // the worker was killed
  let errors = "";
  child.stderr.on("data", (piece: Buffer) => {
    errors = (errors + piece.toString()).slice(-2000);
  });
  const ended = (async (): Promise<WorkerEnd> => {
    const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    running.delete(child);
    return { code, signal, errors };
  })();
  const lines = createInterface(child.stdout);
  const says = (expected: string): Promise<string | undefined> =>
    new Promise((resolve) => {
      lines.on("line", (line) => {
        const [first, rest] = line.split(" ");
        if (first === expected) resolve(rest);
      });
      void ended.then(() => resolve(undefined));
    });
  const ready = says("ready").then((port) => (port === undefined ? undefined : Number(port)));
  return {
    ready,
    opened: says("opened").then(() => {}),
    ended,
    hasEnded: () => !running.has(child),
    signal: (name) => void child.kill(name),
  };
}
