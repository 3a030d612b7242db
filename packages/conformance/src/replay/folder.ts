import { existsSync, statSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type FolderContent, parseRecordings, type Recording } from "../fixtures/recordings.ts";
import { replyFormatOf } from "../fixtures/reply-file.ts";
import type { Wire } from "../wire.ts";
import { looksLike } from "./looks.ts";

/**
 * The recordings of a folder, by name. A `.json` file counts if it looks like a reply of the wire, or if it has a turn file.
 * @throws Error for a file that cannot be read, with its line, and for a turn file without a recording.
 */
export const recordingsIn = async (folder: string, wire?: Wire): Promise<readonly Recording[]> =>
  (await readRecordings(folder, wire)).recordings;

/** The recordings of a folder, and the `.json` files that are not recordings. Without a wire every `.json` file is one. */
export async function readRecordings(
  folder: string,
  wire: Wire | undefined,
): Promise<FolderContent> {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new Error(`There is no folder ${folder}.`);
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.flatMap((entry) =>
    entry.isDirectory() || replyFormatOf(entry.name) === undefined ? [] : [entry.name],
  );
  const files = await Promise.all(
    names.map(async (name) => [name, new Uint8Array(await readFile(join(folder, name)))] as const),
  );
  return parseRecordings({
    files: new Map(files),
    path: folder,
    ...(wire && { isReply: looksLike(wire) }),
  });
}
