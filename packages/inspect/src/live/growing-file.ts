import { type FileHandle, open, stat } from "node:fs/promises";

export interface Edition {
  /** Before that of its first line. Lines of all editions are counted together. */
  readonly base: number;
  /** The number of its last complete line; `base` if it has none. */
  readonly last: number;
  /** Some of the lines that follow line `after`. Undefined: another edition has begun. */
  readAfter(after: number): Promise<readonly string[] | undefined>;
}

export interface GrowingFile {
  /** Undefined: the file does not exist yet. */
  readonly edition: Edition | undefined;
  /** Returns whether anything changed. A file that was cut or replaced begins a new edition. */
  update(): Promise<boolean>;
  close(): Promise<void>;
}

interface OpenEdition extends Edition {
  readonly file: FileHandle;
  readonly ends: number[];
  isClosed: boolean;
  /** The device and the file, which differ after the path got another file. */
  readonly identity: string;
  /** The first bytes: a file that is written anew begins with another time. */
  head: Buffer;
  /** Bytes that were searched for line breaks. */
  length: number;
}

const headBytes = 256;
const blockBytes = 256 * 1024;
/** Of a longer line only the beginning is given: it is not JSON, so a reader sees that it was cut. */
const maxLineBytes = 128 * 1024 * 1024;

/** Nothing is read before the first `update`. */
export function growingFile(path: string): GrowingFile {
  let edition: OpenEdition | undefined;
  const update = async (): Promise<boolean> => {
    const found = await identify(path);
    // A file that was removed stays readable; another one may follow it.
    if (found === undefined) return false;
    if (edition !== undefined && (await isSame(edition, found))) return readOn(edition);
    const before = edition;
    const opened = await openEdition(path, before === undefined ? 0 : before.last + 1);
    if (opened === undefined) return false;
    edition = opened;
    if (before !== undefined) await closeEdition(before);
    await readOn(opened);
    return true;
  };
  return {
    get edition() {
      return edition;
    },
    update,
    close: async () => {
      if (edition !== undefined) await closeEdition(edition);
    },
  };
}

async function closeEdition(edition: OpenEdition): Promise<void> {
  edition.isClosed = true;
  await edition.file.close();
}

interface FoundFile {
  readonly identity: string;
  readonly size: number;
}

/** For a file that does not exist, undefined. */
function unlessMissing(thrown: NodeJS.ErrnoException): undefined {
  if (thrown.code !== "ENOENT") throw thrown;
}

async function identify(path: string): Promise<FoundFile | undefined> {
  const stats = await stat(path).catch(unlessMissing);
  if (stats === undefined) return undefined;
  // To open a pipe would wait for a program that writes in it.
  if (!stats.isFile()) throw new Error(`${path} is a folder or a device, and not a file.`);
  const { dev, ino, size } = stats;
  return { identity: `${dev}:${ino}`, size };
}

async function isSame(edition: OpenEdition, { identity, size }: FoundFile): Promise<boolean> {
  if (identity !== edition.identity || size < edition.length) return false;
  const head = await readBytes(edition.file, 0, edition.head.length);
  return head.equals(edition.head);
}

async function openEdition(path: string, base: number): Promise<OpenEdition | undefined> {
  const file = await open(path).catch(unlessMissing);
  if (file === undefined) return undefined;
  const { dev, ino } = await file.stat();
  const ends: number[] = [];
  const edition: OpenEdition = {
    base,
    get last() {
      return base + ends.length;
    },
    readAfter: (after) => readLines(edition, after - base),
    file,
    ends,
    isClosed: false,
    identity: `${dev}:${ino}`,
    head: Buffer.alloc(0),
    length: 0,
  };
  return edition;
}

async function readLines(
  edition: OpenEdition,
  first: number,
): Promise<readonly string[] | undefined> {
  const { ends, file } = edition;
  const startOf = (line: number): number => (line === 0 ? 0 : (ends[line - 1] ?? 0) + 1);
  const from = startOf(first);
  let end = first + 1;
  while (end < ends.length && (ends[end] ?? 0) - from <= blockBytes) end += 1;
  const length = (ends[end - 1] ?? from) - from;
  try {
    const bytes = await readBytes(file, from, length > maxLineBytes ? headBytes : length);
    return ends.slice(first, end).map((at, index) => {
      const start = startOf(first + index);
      return bytes.toString("utf8", start - from, at - from);
    });
  } catch (thrown) {
    if (edition.isClosed) return undefined;
    throw thrown;
  }
}

async function readOn(edition: OpenEdition): Promise<boolean> {
  const linesBefore = edition.ends.length;
  for (;;) {
    const block = await readBytes(edition.file, edition.length, blockBytes);
    if (block.length === 0) break;
    if (edition.head.length < headBytes)
      edition.head = Buffer.concat([edition.head, block]).subarray(0, headBytes);
    for (let at = block.indexOf(10); at >= 0; at = block.indexOf(10, at + 1))
      edition.ends.push(edition.length + at);
    edition.length += block.length;
  }
  return edition.ends.length > linesBefore;
}

async function readBytes(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
