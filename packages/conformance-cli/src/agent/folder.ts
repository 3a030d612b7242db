import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { createTemporaryFolder } from "../folders.ts";

/** A file that changed since the beginning. */
export interface FileChange {
  /** Its content as a JSON string; `removed` if it is gone. */
  readonly text: string;
  /** How often it was written with this content, as far as it was looked at. */
  readonly versions: number;
}

export interface WorkFolder {
  readonly path: string;
  /** Looks at all files, so that one that is later written with the same content is noticed. */
  look(): Promise<void>;
  changes(): Promise<ReadonlyMap<string, FileChange>>;
  remove(): Promise<void>;
}

/** For a larger file, its size is compared instead of its content. */
const maxTextBytes = 1024 * 1024;

interface FileState {
  readonly text: string;
  /** Differs if the file was written again. */
  readonly version: string;
}

/** `undefined` if the file is gone, as temporary files are. */
async function readState(file: string): Promise<FileState | undefined> {
  try {
    const { size, mtimeNs, ino } = await stat(file, { bigint: true });
    const text =
      size > maxTextBytes ? `${size} bytes` : JSON.stringify(await readFile(file, "utf8"));
    return { text, version: `${mtimeNs} ${ino}` };
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw thrown;
  }
}

async function readStates(folder: string): Promise<ReadonlyMap<string, FileState>> {
  const found = new Map<string, FileState>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const state = entry.isFile() ? await readState(file) : undefined;
    if (state !== undefined) found.set(relative(folder, file), state);
  }
  return found;
}

export async function createWorkFolder(
  files: Readonly<Record<string, string>>,
): Promise<WorkFolder> {
  const path = createTemporaryFolder("conformance-");
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
  const before = await readStates(path);
  /** The versions in which each file was seen, by its name and its content. */
  const seen = new Map<string, Set<string>>();
  const look = async (): Promise<ReadonlyMap<string, FileState>> => {
    const now = await readStates(path);
    for (const [file, { text, version }] of now) {
      const key = JSON.stringify([file, text]);
      seen.set(key, (seen.get(key) ?? new Set()).add(version));
    }
    return now;
  };
  return {
    path,
    look: async () => void (await look()),
    changes: async () => {
      const now = await look();
      const files = [...new Set([...before.keys(), ...now.keys()])].filter(
        (file) => before.get(file)?.text !== now.get(file)?.text,
      );
      return new Map(
        files.map((file) => {
          const text = now.get(file)?.text ?? "removed";
          return [file, { text, versions: seen.get(JSON.stringify([file, text]))?.size ?? 1 }];
        }),
      );
    },
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}
