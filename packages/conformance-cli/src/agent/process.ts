import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as after } from "node:timers/promises";
import { killAllMarked, createMark, killMarked } from "./strays.ts";

export interface ProcessOptions {
  readonly command: readonly string[];
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}
export interface ProcessResult {
  /** Why it was killed. */
  readonly timeout?: string;
  /** The end of what it printed. */
  readonly output: string;
}

/** How much of what it printed is kept, and how long a process may hold its pipes after its end. */
const maxOutputChars = 2000;
const lingerMs = 1000;

/** The process, and all that it started in its group. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // Nobody of the group is left.
  }
}

/**
 * Runs a program to its end, or until its time is over; then ends all that it started and that still runs. On Linux those are found too that
 * left its group (`setsid`), unless they were started without its environment. Rejects where it cannot be started, or on abort.
 */
export async function runProcess({
  command: [program = "", ...args],
  folder,
  env,
  timeoutMs,
  signal,
}: ProcessOptions): Promise<ProcessResult> {
  signal?.throwIfAborted();
  const mark = createMark();
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...env, [mark]: "1" },
    detached: process.platform !== "win32",
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const hear = (piece: Buffer): void => {
    output = `${output}${piece.toString("utf8")}`.slice(-maxOutputChars);
  };
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  const closed = once(child, "close").catch(() => undefined);
  let timeout: string | undefined;
  const end = (why: string) => (): void => {
    timeout = why;
    killGroup(child.pid);
  };
  const timer = setTimeout(end(`did not end within ${timeoutMs / 1000} s`), timeoutMs);
  const aborted = end("was interrupted");
  const orphaned = (): void => {
    killGroup(child.pid);
    killMarked(mark);
  };
  signal?.addEventListener("abort", aborted, { once: true });
  process.once("exit", orphaned);
  try {
    await once(child, "exit");
  } catch (thrown) {
    throw new Error(
      `${program} cannot be started: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
      { cause: thrown },
    );
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", aborted);
    killGroup(child.pid);
    await killAllMarked(mark);
    process.off("exit", orphaned);
  }
  await Promise.race([closed, after(lingerMs, undefined, { ref: false })]);
  child.stdout.destroy();
  child.stderr.destroy();
  signal?.throwIfAborted();
  return { output, ...(timeout !== undefined && { timeout: timeout }) };
}
