import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";

/** A process by what tells it from every other, also from a later one with its number. */
interface Owner {
  readonly pid: number;
  /** When it started, in ticks of the machine; 0 where that cannot be told. */
  readonly start: number;
  readonly host: string;
}

/**
 * Takes the only right to write to a file, and gives the way to return it. It is a file of its own beside the first, made before the others are looked for:
 * of two that come at once both may be turned away, and never both let in. What a killed process left behind holds nobody off.
 * Its name says the number of the file too, so that a file which was given another name while it is written to has no second lock.
 * @throws Error where a process that lives, or one of another machine, has that right.
 */
export async function acquireLock(path: string, ino: bigint): Promise<() => Promise<void>> {
  const mine = `${path}.${lockFileName(await thisProcess(), ino)}`;
  await writeFile(mine, "", { flag: "wx" });
  const release = (): Promise<void> => rm(mine, { force: true });
  try {
    for (const { file, owner } of await otherLocks(path, mine, ino)) {
      if (await isAlive(owner))
        throw new Error(`${path} is written to by another run. If that is not so, remove ${file}.`);
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
/** Locks of the same name, and of the same file under another. */
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

/** When a process started; nothing where there is none. Linux tells it; elsewhere it is 0 for every process that lives. */
async function startTime(pid: number): Promise<number | undefined> {
  if (process.platform !== "linux") return processExists(pid) ? 0 : undefined;
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  if (stat === undefined) return undefined;
  // proc(5): the name, in parentheses, may hold anything; after it comes the state, and 19 fields later the start.
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
