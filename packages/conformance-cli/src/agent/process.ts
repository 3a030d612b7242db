import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as after } from "node:timers/promises";
import { createMark, killAllMarked, killMarked } from "./strays.ts";

export interface ProcessOptions {
  readonly command: readonly string[];
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with the end of what was printed, each time when there is more. */
  onOutput?(output: string): void;
}
export interface ProcessResult {
  /** Why it was killed, as the end of a sentence; absent if it ended by itself. */
  readonly timeout?: string;
  /** The end of what it printed. */
  readonly output: string;
}

/** How many characters of the output are kept. */
const maxOutputChars = 2000;
/** How long to wait for the rest of the output after the process ended. */
const outputDelayMs = 1000;

/** Kills a process and everything that it started in its process group. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // The group has already ended.
  }
}

/**
 * Runs a program until it ends or its time is over, then ends every process that it started. On
 * Linux this includes processes that left its group (`setsid`), unless they were started without
 * its environment. Rejects if it cannot be started, or on abort.
 */
export async function runProcess({
  command: [program = "", ...args],
  folder,
  env,
  timeoutMs,
  signal,
  onOutput,
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
  const appendOutput = (chunk: Buffer): void => {
    output = `${output}${chunk.toString("utf8")}`.slice(-maxOutputChars);
    onOutput?.(output);
  };
  child.stdout.on("data", appendOutput);
  child.stderr.on("data", appendOutput);
  const closed = once(child, "close").catch(() => undefined);
  let timeout: string | undefined;
  const stop = (reason: string) => (): void => {
    timeout = reason;
    killGroup(child.pid);
  };
  const timer = setTimeout(stop(`did not end within ${timeoutMs / 1000} s`), timeoutMs);
  const onAbort = stop("was interrupted");
  const onExit = (): void => {
    killGroup(child.pid);
    killMarked(mark);
  };
  signal?.addEventListener("abort", onAbort, { once: true });
  process.once("exit", onExit);
  try {
    await once(child, "exit");
  } catch (thrown) {
    throw new Error(
      `${program} cannot be started: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
      { cause: thrown },
    );
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    killGroup(child.pid);
    await killAllMarked(mark);
    process.off("exit", onExit);
  }
  await Promise.race([closed, after(outputDelayMs, undefined, { ref: false })]);
  child.stdout.destroy();
  child.stderr.destroy();
  signal?.throwIfAborted();
  return { output, ...(timeout !== undefined && { timeout }) };
}
