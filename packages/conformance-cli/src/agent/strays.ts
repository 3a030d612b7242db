import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as after } from "node:timers/promises";

/** How often it is looked for those that were started while others were ended, and how long between. */
const maxRounds = 20;
const pauseMs = 10;

/** A name that no other run has. It stands in the environment of a program, and of all that inherits it. */
export const createMark = (): string => `CONFORMANCE_RUN_${crypto.randomUUID().replaceAll("-", "")}`;

function readIfPossible(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    // It ended meanwhile, or belongs to another user.
    return "";
  }
}

/** The processes that have the mark in the environment that they began with. https://man7.org/linux/man-pages/man5/proc_pid_environ.5.html */
function findMarked(mark: string): readonly number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids
    .map(Number)
    .filter((pid) => pid !== process.pid && readIfPossible(`/proc/${pid}/environ`).includes(`${mark}=`));
}

/** Ends the marked processes that there are. Gives how many there were. */
export function killMarked(mark: string): number {
  if (process.platform !== "linux") return 0;
  const found = findMarked(mark);
  for (const pid of found) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended by itself.
    }
  }
  return found.length;
}

/** Ends the marked processes, until there is none. On other systems than Linux they cannot be found, and stay. */
export async function killAllMarked(mark: string): Promise<void> {
  for (let round = 0; round < maxRounds && killMarked(mark) > 0; round++) await after(pauseMs);
}
