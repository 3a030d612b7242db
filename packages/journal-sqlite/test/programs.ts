import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** Every program begins with it. `say` writes a line at once. */
const prelude = `
  import { writeSync } from "node:fs";
  import { sqliteJournal } from "@fullstop/journal-sqlite";
  const [path, ...rest] = process.argv.slice(1);
  const say = (value) => writeSync(1, JSON.stringify(value) + "\\n");
`;

export interface Program {
  readonly process: ChildProcess;
  /** The next value that the program says; undefined after the last. */
  next(): Promise<unknown>;
  /** Resolves with the exit code, or the name of the signal. */
  readonly ended: Promise<number | string | null>;
}
const running = new Set<ChildProcess>();

/**
 * Starts a program in another process. `path` and `rest` are its arguments. `before` is a shell
 * command such as `ulimit`.
 */
export function startProgram(text: string, args: readonly string[], before?: string): Program {
  const command = [
    process.execPath,
    "--conditions=@fullstop/source",
    "--no-warnings",
    "--input-type=module",
    "-e",
    prelude + text,
    ...args,
  ];
  const [program = "", ...rest] =
    before === undefined ? command : ["sh", "-c", `${before}; exec "$@"`, "sh", ...command];
  const child = spawn(program, rest, {
    cwd: import.meta.dirname,
    stdio: ["pipe", "pipe", "inherit"],
  });
  running.add(child);
  const ended = once(child, "close").then(([code, signal]) => {
    running.delete(child);
    return (signal ?? code) as number | string | null;
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    return done ? undefined : JSON.parse(value);
  };
  return { process: child, next, ended };
}

/** Ends the programs that a failed test left. */
export function endPrograms(): void {
  for (const child of running) child.kill("SIGKILL");
}
