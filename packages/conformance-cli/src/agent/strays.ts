import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as after } from "node:timers/promises";

/** How often, and after which pause, the search is repeated: processes start others meanwhile. */
const maxRounds = 20;
const pauseMs = 10;

/** Names an environment variable that marks a program and what inherits its environment. */
export const createMark = (): string =>
  `CONFORMANCE_RUN_${crypto.randomUUID().replaceAll("-", "")}`;

/** What shows that a process belongs to a program. */
export interface Traits {
  /** The name of a variable in its environment. */
  readonly mark: string;
  /** A folder that only the program uses: it works there, or was given the path. */
  readonly folder?: string | undefined;
}

function readIfPossible(read: () => string): string {
  try {
    return read();
  } catch {
    // The process has ended, or belongs to another user.
    return "";
  }
}

const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(`${folder}/`);

/**
 * Whether a process began with the mark or the path of the folder in its environment, has the path
 * in its arguments, or works in the folder. A daemon may lose one of these, but seldom all.
 * https://man7.org/linux/man-pages/man5/proc_pid_environ.5.html
 */
function belongs(pid: number, { mark, folder }: Traits): boolean {
  const environment = readIfPossible(() => readFileSync(`/proc/${pid}/environ`, "latin1"));
  if (environment.includes(`${mark}=`)) return true;
  if (folder === undefined) return false;
  const cwd = readIfPossible(() => readlinkSync(`/proc/${pid}/cwd`));
  return (
    isInside(cwd, folder) ||
    environment.includes(folder) ||
    readIfPossible(() => readFileSync(`/proc/${pid}/cmdline`, "utf8")).includes(folder)
  );
}

function findStrays(traits: Traits): readonly number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => pid !== process.pid && belongs(pid, traits));
}

/** Kills the processes that belong to a program. Returns how many there were. */
export function killStrays(traits: Traits): number {
  if (process.platform !== "linux") return 0;
  const found = findStrays(traits);
  for (const pid of found) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The process has already ended.
    }
  }
  return found.length;
}

/** Kills them until none is left. They can be found only on Linux. */
export async function killAllStrays(traits: Traits): Promise<void> {
  for (let round = 0; round < maxRounds && killStrays(traits) > 0; round++) await after(pauseMs);
}
