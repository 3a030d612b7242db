import { mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

/** The folder in which a program runs. */
export interface WorkFolder {
  readonly path: string;
  /**
   * The content of each file that changed since the beginning; `removed` for a file that is gone.
   */
  changes(): Promise<ReadonlyMap<string, string>>;
  remove(): Promise<void>;
}

/** For a larger file, its size is compared instead of its content. */
const maxTextBytes = 1024 * 1024;

async function readContent(file: string): Promise<string> {
  const { size } = await stat(file);
  return size > maxTextBytes ? `${size} bytes` : JSON.stringify(await readFile(file, "utf8"));
}

async function readContents(folder: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile()) found.set(relative(folder, file), await readContent(file));
  }
  return found;
}

/** Creates a temporary folder with these files. */
export async function createWorkFolder(
  files: Readonly<Record<string, string>>,
): Promise<WorkFolder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), "conformance-")));
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
  const before = await readContents(path);
  return {
    path,
    changes: async () => {
      const now = await readContents(path);
      const files = [...new Set([...before.keys(), ...now.keys()])].filter(
        (file) => before.get(file) !== now.get(file),
      );
      return new Map(files.map((file) => [file, now.get(file) ?? "removed"]));
    },
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}
