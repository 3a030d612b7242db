import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as after } from "node:timers/promises";
import { createMark, killAllStrays, killStrays } from "./strays.ts";

export interface StartOptions {
  readonly command: readonly string[];
  /** The name of the program in errors; by default the first word of the command. */
  readonly name?: string | undefined;
  /** The command is one line for the shell. */
  readonly shell?: boolean;
  readonly folder: string;
  /**
   * Only this program uses the folder. Then processes that it started are also found by it: those
   * that work there or were given its path.
   */
  readonly ownsFolder?: boolean | undefined;
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
}
export interface StartedProcess {
  /** Resolves with its exit code, `null` after a signal. Rejects if it cannot be started. */
  readonly ended: Promise<number | null>;
  /** The end of what it has printed. */
  output(): string;
  /** Kills it and its process group. */
  kill(): void;
  /**
   * Kills it and every process that it started. On Linux this includes processes that left its
   * group (`setsid`), unless they were started without its environment and, if it owns its folder,
   * have nothing to do with that either.
   */
  killAll(): Promise<void>;
  /** Waits a moment for the rest of the output, and reads no more. */
  closeOutput(): Promise<void>;
}

export interface ProcessOptions extends StartOptions {
  /** The time limit. It counts from the start, or from `begun` if that is given. */
  readonly timeoutMs: number;
  /** Resolves when its work begins. */
  readonly begun?: Promise<unknown> | undefined;
  /** The time limit until `begun` resolves; `timeoutMs` by default. */
  readonly startTimeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Ends it too, and its result is what was seen until then. */
  readonly enough?: AbortSignal | undefined;
}
/** How a program ended. */
export interface ProcessResult {
  /** Why it was killed, as the end of a sentence; absent if it ended by itself. */
  readonly timeout?: string;
  /** The end of what it printed. */
  readonly output: string;
  /** Absent if a signal ended it. */
  readonly exitCode?: number;
}

const maxOutputChars = 2000;
/** How long to wait for the rest of the output after the process ended. */
const outputDelayMs = 1000;

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // The group has already ended.
  }
}

/** Variables for programs that talk only to this machine: no proxy stands in between. */
export const withoutProxy: Readonly<Record<string, string>> = {
  NO_PROXY: "127.0.0.1,localhost",
  no_proxy: "127.0.0.1,localhost",
};

const killers = new Set<() => void>();
const killEverything = (): void => {
  for (const kill of killers) kill();
};

const startProblems: Readonly<Record<string, string>> = {
  ENOENT: "it was not found. Check its name, or give its path.",
  EACCES: "it is not executable. Make it so, or name its interpreter before it.",
};
const whyNotStarted = (thrown: unknown): string =>
  startProblems[String((thrown as NodeJS.ErrnoException).code)] ??
  (thrown instanceof Error ? thrown.message : String(thrown));

/** Starts a process. It is killed at the latest when this process ends. */
export function startProcess({
  command: [program = "", ...args],
  name = program,
  shell = false,
  folder,
  ownsFolder = false,
  env,
}: StartOptions): StartedProcess {
  const mark = createMark();
  const traits = { mark, folder: ownsFolder ? folder : undefined };
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...env, [mark]: "1" },
    detached: process.platform !== "win32",
    shell,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const appendOutput = (chunk: Buffer): void => {
    output = `${output}${chunk.toString("utf8")}`.slice(-maxOutputChars);
  };
  child.stdout.on("data", appendOutput);
  child.stderr.on("data", appendOutput);
  const closed = once(child, "close").catch(() => undefined);
  const ended = once(child, "exit").then(
    ([exitCode]) => exitCode as number | null,
    (thrown: unknown) => {
      throw new Error(`${name} cannot be started: ${whyNotStarted(thrown)}`, { cause: thrown });
    },
  );
  const kill = (): void => killGroup(child.pid);
  const killNow = (): void => {
    kill();
    killStrays(traits);
  };
  if (killers.size === 0) process.once("exit", killEverything);
  killers.add(killNow);
  return {
    ended,
    output: () => output,
    kill,
    killAll: async () => {
      kill();
      await killAllStrays(traits);
      killers.delete(killNow);
      if (killers.size === 0) process.off("exit", killEverything);
    },
    closeOutput: async () => {
      await Promise.race([closed, after(outputDelayMs, undefined, { ref: false })]);
      child.stdout.destroy();
      child.stderr.destroy();
    },
  };
}

/** Stops a program when its time is over, with the reason. Returns what cancels that. */
function limitTime(
  { timeoutMs, begun, startTimeoutMs = timeoutMs }: ProcessOptions,
  stop: (reason: string) => () => void,
): () => void {
  let isOver = false;
  const limit = (milliseconds: number, what: string): NodeJS.Timeout =>
    setTimeout(stop(`${what} within ${milliseconds / 1000} s`), milliseconds);
  let timer =
    begun === undefined
      ? limit(timeoutMs, "did not end")
      : limit(startTimeoutMs, "did not begin its work");
  void begun?.then(() => {
    if (isOver) return;
    clearTimeout(timer);
    timer = limit(timeoutMs, "did not end");
  });
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** Runs a program, and ends all that it started. Rejects if it cannot be started, or on abort. */
export async function runProcess(options: ProcessOptions): Promise<ProcessResult> {
  const { signal, enough } = options;
  signal?.throwIfAborted();
  const started = startProcess(options);
  let timeout: string | undefined;
  const stop = (reason: string) => (): void => {
    timeout = reason;
    started.kill();
  };
  const cancelTimer = limitTime(options, stop);
  const onAbort = stop("was interrupted");
  signal?.addEventListener("abort", onAbort, { once: true });
  enough?.addEventListener("abort", started.kill, { once: true });
  let exitCode: number | null;
  try {
    exitCode = await started.ended;
  } finally {
    cancelTimer();
    signal?.removeEventListener("abort", onAbort);
    enough?.removeEventListener("abort", started.kill);
    await started.killAll();
  }
  await started.closeOutput();
  signal?.throwIfAborted();
  return {
    output: started.output(),
    ...(timeout !== undefined && { timeout }),
    ...(exitCode !== null && { exitCode }),
  };
}
