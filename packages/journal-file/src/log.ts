import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";

export interface Log {
  /** Resolves when it would survive a crash of the machine. After a failure all later ones fail. */
  append(text: string): Promise<number>;
  read(at: number, length: number): Promise<string>;
  /** Resolves when no write is pending. Rejects if the file is not in its place any more. */
  flushed(): Promise<void>;
  close(): Promise<void>;
}
interface PendingWrite {
  readonly bytes: Buffer;
  readonly resolve: (at: number) => void;
  readonly reject: (thrown: unknown) => void;
}

/** Truncates what follows `length`. `assertInPlace` rejects if others no longer find the file. */
export async function openLog(
  file: FileHandle,
  length: number,
  assertInPlace: () => Promise<void>,
): Promise<Log> {
  await file.truncate(length);
  let end = length;
  let waiting: PendingWrite[] = [];
  let flushing: Promise<void> | undefined;
  let broken: { readonly by: unknown } | undefined;

  const settle = async (batch: readonly PendingWrite[]): Promise<void> => {
    if (broken !== undefined) throw broken.by;
    await writeDurably(file, Buffer.concat(batch.map(({ bytes }) => bytes)), end);
    await assertInPlace();
    for (const { bytes, resolve } of batch) {
      resolve(end);
      end += bytes.length;
    }
  };
  /** Writes and syncs all pending texts together. */
  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await settle(batch).catch((by: unknown) => {
        broken = { by };
        for (const { reject } of batch) reject(by);
      });
    }
    flushing = undefined;
  };
  const append = (text: string): Promise<number> =>
    new Promise((resolve, reject) => {
      waiting.push({ bytes: Buffer.from(text), resolve, reject });
      flushing ??= flush();
    });
  const read = async (at: number, bytes: number): Promise<string> => {
    const { buffer } = await file.read(Buffer.alloc(bytes), 0, bytes, at);
    return buffer.toString("utf8");
  };
  const flushed = async (): Promise<void> => {
    await flushing;
    if (broken === undefined) await assertInPlace();
  };
  const close = async (): Promise<void> => {
    await flushing;
    await file.close();
  };
  return { append, read, flushed, close };
}

async function writeDurably(file: FileHandle, bytes: Buffer, from: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, from + done);
    done += bytesWritten;
  }
  await file.datasync();
}

/** Makes the name of a new file durable. Windows cannot sync a folder and does not need to. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(dirname(path), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
