import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import type { User } from "./user.ts";

/** How a server is started and ended. */
export interface ServerProgram {
  readonly command: readonly [string, ...string[]];
  /** It is removed if this process ends without stopping the server. */
  readonly folder: string;
  /** A file that gets all output of the server. */
  readonly log: string;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly user?: User | undefined;
  /** Ends the server, with its work done. */
  readonly stopSignal: "SIGINT" | "SIGTERM";
}

/** A server that runs. */
export interface ServerProcess {
  readonly pid: number;
  readonly hasEnded: () => boolean;
  /** Sends the signal and waits for the end. Uses SIGKILL after `longestStopMs`. */
  end(signal: NodeJS.Signals): Promise<void>;
}

const longestStopMs = 10_000;

/**
 * Waits until its standard input ends, which happens when the process that started it has ended,
 * also by SIGKILL. Then it ends the server and removes its folder. A line says that nothing is left
 * to do.
 */
const watch = `
  read line && exit 0
  kill -s "$1" "$2"
  seconds=0
  while kill -s 0 "$2" 2>/dev/null && [ $seconds -lt 10 ]; do sleep 1; seconds=$((seconds + 1)); done
  kill -s KILL "$2" 2>/dev/null
  rm -rf "$3"
`;

/** Starts a server that ends with this process at the latest. */
export async function startServer(program: ServerProgram): Promise<ServerProcess> {
  const { command, folder, log, env, user, stopSignal } = program;
  const output = openSync(log, "a", 0o666);
  const server = spawn(command[0], command.slice(1), {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", output, output],
    detached: true, // Ctrl-C reaches this process only, which then ends the server
    ...user,
  });
  closeSync(output);
  await once(server, "spawn");
  const pid = server.pid ?? Number.NaN;
  const watcher = spawn("sh", ["-c", watch, "watch", stopSignal.slice(3), String(pid), folder], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
    ...user,
  });
  watcher.stdin.on("error", () => {}); // the watcher was ended by someone else
  server.once("exit", () => watcher.stdin.end("done\n"));
  for (const child of [server, watcher]) child.unref();
  return { pid, hasEnded: () => hasEnded(server), end: (signal) => end(server, signal) };
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(server)) return;
  server.ref();
  const ended = once(server, "exit");
  server.kill(signal);
  const timer = setTimeout(() => server.kill("SIGKILL"), longestStopMs);
  await ended.finally(() => clearTimeout(timer));
}
