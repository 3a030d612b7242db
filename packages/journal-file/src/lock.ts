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

/**
 * Locks a file for writing. Resolves with a function that releases the lock. The lock is a file
 * beside the locked one, created before the search for others: of two simultaneous attempts both
 * can fail, but both cannot succeed. The lock of a killed process is removed. Its name contains the
 * inode, so that a file that is renamed while it is written cannot get a second lock.
 * @throws JournalError of the kind `in-use` if a living process or another machine has the lock.
 */
export async function acquireLock(path: string, ino: bigint): Promise<() => Promise<void>> {
  const mine = `${path}.${lockFileName(await thisProcess(), ino)}`;
  await writeFile(mine, "", { flag: "wx" });
  const release = (): Promise<void> => rm(mine, { force: true });
  try {
    for (const { file, owner } of await otherLocks(path, mine, ino)) {
      if (await isAlive(owner))
        throw new JournalError(
          "in-use",
          `Another run writes to ${path}. If that is wrong, remove ${file}.`,
        );
      await rm(file, { force: true });
    }
  } catch (thrown) {
    await release();
    throw thrown;
  }
  return release;
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

/**
 * The start time of a process, or `undefined` if it does not exist. Only Linux reports it;
 * elsewhere it is 0.
 */
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
