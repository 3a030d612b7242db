import { mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

/** A folder in which a program can leave traces. */
export interface Folder {
  readonly path: string;
  /** What is other than at the beginning, by file. */
  changes(): Promise<ReadonlyMap<string, string>>;
  remove(): Promise<void>;
}

/** Larger files are told by their size. */
const largest = 1024 * 1024;

async function contentOf(file: string): Promise<string> {
  const { size } = await stat(file);
  return size > largest ? `${size} bytes` : JSON.stringify(await readFile(file, "utf8"));
}

async function contents(folder: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile()) found.set(relative(folder, file), await contentOf(file));
  }
  return found;
}

/** A fresh folder with these files in it. */
export async function freshFolder(files: Readonly<Record<string, string>>): Promise<Folder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), "conformance-")));
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
  const before = await contents(path);
  return {
    path,
    changes: async () => {
      const now = await contents(path);
      const files = [...new Set([...before.keys(), ...now.keys()])].filter(
        (file) => before.get(file) !== now.get(file),
      );
      return new Map(files.map((file) => [file, now.get(file) ?? "removed"]));
    },
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}
