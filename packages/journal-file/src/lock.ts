import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { JournalError } from "@fullstop/loop/journal";

/** Identifies a process, even if a later process has the same pid. */
interface Owner {
  readonly pid: number;
  /** The start time in clock ticks; 0 if the platform does not report it. */
  readonly start: number;
  readonly host: string;
}

/** After this many attempts, a process that is in the middle of one is probably paused. */
const mostAttempts = 40;
const longestPauseMs = 25;
/** What a lock contains when its process has it for certain. It is empty during an attempt. */
const heldMark = "held";

/**
 * Locks a file for writing. Resolves with a function that releases the lock. If others try at the
 * same time, one of them gets it.
 * @throws JournalError of the kind `in-use` if a living process or another machine has the lock.
 */
export async function acquireLock(path: string, ino: bigint): Promise<() => Promise<void>> {
  const me = await thisProcess();
  for (let attempt = 1; ; attempt++) {
    const mine = `${path}.${lockFileName(me, ino)}`;
    const other = await tryLock(path, mine, ino);
    if (other === undefined) return () => rm(mine, { force: true });
    if (attempt === mostAttempts || other.owner.host !== me.host || (await isHeld(other.file)))
      throw new JournalError(
        "in-use",
        `Another run writes to ${path}. If that is wrong, remove ${other.file}.`,
      );
    // A random time, so that those who tried together do not meet again.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * longestPauseMs));
  }
}

const isHeld = async (file: string): Promise<boolean> =>
  (await readFile(file, "utf8").catch(() => "")) === heldMark;

/**
 * Returns the lock of another, or creates the lock. The lock is a file beside the locked one,
 * created before the search for others: of two simultaneous attempts both can fail, but both cannot
 * succeed. Its name contains the inode, so that a file that is renamed while it is written cannot
 * get a second lock.
 */
async function tryLock(path: string, mine: string, ino: bigint): Promise<OtherLock | undefined> {
  await writeFile(mine, "", { flag: "wx" });
  try {
    const other = await findValidLock(path, mine, ino);
    if (other === undefined) await writeFile(mine, heldMark);
    else await rm(mine, { force: true });
    return other;
  } catch (thrown) {
    await rm(mine, { force: true });
    throw thrown;
  }
}

/** Removes the locks of killed processes on the way. */
async function findValidLock(
  path: string,
  mine: string,
  ino: bigint,
): Promise<OtherLock | undefined> {
  for (const other of await otherLocks(path, mine, ino)) {
    if (await isAlive(other.owner)) return other;
    await rm(other.file, { force: true });
  }
  return undefined;
}

const lockFileName = ({ pid, start, host }: Owner, ino: bigint): string =>
  `${pid}-${start}-${crypto.randomUUID().slice(0, 8)}-ino${ino}-${host}.lock`;
const lockName = /^(.*)\.(\d+)-(\d+)-[0-9a-f]{8}(?:-ino(\d+))?-(.+)\.lock$/;

interface OtherLock {
  readonly file: string;
  readonly owner: Owner;
}
/** Other locks of the same path, or of the same file with another name. */
async function otherLocks(path: string, mine: string, ino: bigint): Promise<readonly OtherLock[]> {
  const folder = dirname(path);
  const names = await readdir(folder);
  return names.flatMap((name) => {
    const [, locked, pid, start, number, host = ""] = lockName.exec(name) ?? [];
    const isSame = locked === basename(path) || number === String(ino);
    const owner = { pid: Number(pid), start: Number(start), host };
    return isSame && name !== basename(mine) ? [{ file: join(folder, name), owner }] : [];
  });
}

const thisProcess = async (): Promise<Owner> => ({
  pid: process.pid,
  start: (await startTime(process.pid)) ?? 0,
  host: encodeURIComponent(hostname()),
});

async function isAlive({ pid, start, host }: Owner): Promise<boolean> {
  return host !== (await thisProcess()).host || (await startTime(pid)) === start;
}

/** Undefined if the process does not exist. Only Linux reports a time; elsewhere it is 0. */
async function startTime(pid: number): Promise<number | undefined> {
  if (process.platform !== "linux") return processExists(pid) ? 0 : undefined;
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  if (stat === undefined) return undefined;
  // proc(5): the name in parentheses can contain any character. The state follows it, and the start
  // time 19 fields later.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const isDead = fields[0] === "Z" || fields[0] === "X";
  return isDead ? undefined : Number(fields[19]);
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === "EPERM";
  }
}
