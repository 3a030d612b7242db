import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as after } from "node:timers/promises";

/**
 * A marked process may start others while it is killed, so the search is repeated: how often, and
 * after which pause.
 */
const maxRounds = 20;
const pauseMs = 10;

/**
 * Creates the name of an environment variable that marks a program and every process that inherits
 * its environment.
 */
export const createMark = (): string =>
  `CONFORMANCE_RUN_${crypto.randomUUID().replaceAll("-", "")}`;

function readIfPossible(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    // The process has ended, or belongs to another user.
    return "";
  }
}

/**
 * The processes that started with the mark in their environment.
 * https://man7.org/linux/man-pages/man5/proc_pid_environ.5.html
 */
function findMarked(mark: string): readonly number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids
    .map(Number)
    .filter(
      (pid) => pid !== process.pid && readIfPossible(`/proc/${pid}/environ`).includes(`${mark}=`),
    );
}

/** Kills the marked processes. Returns how many there were. */
export function killMarked(mark: string): number {
  if (process.platform !== "linux") return 0;
  const found = findMarked(mark);
  for (const pid of found) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The process has already ended.
    }
  }
  return found.length;
}

/** Kills marked processes until none is left. They can be found only on Linux. */
export async function killAllMarked(mark: string): Promise<void> {
  for (let round = 0; round < maxRounds && killMarked(mark) > 0; round++) await after(pauseMs);
}
