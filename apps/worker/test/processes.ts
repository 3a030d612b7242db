import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const movedClock = fileURLToPath(new URL("moved-clock.ts", import.meta.url));

/** Environment variables of a process. With CLOCK_AHEAD_MINUTES its clock is moved. */
export type Env = Readonly<Record<string, string>>;

type CommandProcess = ChildProcess & { readonly stdout: Readable; readonly stderr: Readable };

/** A process of the command. */
function spawnCommand(args: readonly string[], env: Env): CommandProcess {
  const clock = env["CLOCK_AHEAD_MINUTES"] === undefined ? [] : ["--import", movedClock];
  return spawn(process.execPath, ["--conditions=@fullstop/source", ...clock, main, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], ...env },
  });
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
/** Runs the command to its end. */
export async function worker(args: readonly string[], env: Env): Promise<Ended> {
  const child = spawnCommand(args, env);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code, stdout, stderr };
}

/** A line of the log of a worker. */
export type LogLine = Readonly<Record<string, unknown>> & {
  readonly type: string;
  readonly runId?: string;
  readonly call?: string;
  readonly tool?: string;
};
/** A worker process. */
export interface WorkerProcess {
  readonly pid: number;
  /** What it has logged. */
  readonly lines: readonly LogLine[];
  /** Resolves with the first line, logged before or later, that fits. Rejects if the worker ends. */
  until(fits: (line: LogLine) => boolean): Promise<LogLine>;
  /** Sends the signal, and resolves with the exit code, or the signal if it had none. */
  end(signal: NodeJS.Signals): Promise<number | string>;
}

/**
 * Starts a worker that ends with the test process at the latest. Its errors are passed on, so that a
 * failing test shows them.
 */
export function startWorker(env: Env): WorkerProcess {
  const child = spawnCommand(["worker"], env);
  const lines: LogLine[] = [];
  const listeners = new Set<() => void>();
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(JSON.parse(line) as LogLine);
    notify();
  });
  child.stderr.pipe(process.stderr);
  const killChild = (): void => void child.kill("SIGKILL");
  process.on("exit", killChild);
  const closed = once(child, "close").then(([code, signal]) => {
    process.off("exit", killChild);
    notify();
    return (code ?? signal) as number | string;
  });
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const until: WorkerProcess["until"] = (fits) =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = lines.find(fits);
        if (found === undefined && !hasEnded()) return;
        listeners.delete(look);
        if (found !== undefined) resolve(found);
        else reject(new Error(`The worker ended. Its log: ${JSON.stringify(lines.slice(-5))}`));
      };
      listeners.add(look);
      look();
    });
  return {
    pid: child.pid ?? Number.NaN,
    lines,
    until,
    end: (signal) => {
      child.kill(signal);
      return closed;
    },
  };
}
