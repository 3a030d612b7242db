import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFolder } from "@fullstop/conformance-cli/folders";
import { fileError, UsageError } from "../files.ts";
import { packageFolder, readVersion } from "../own-package.ts";
import type { Kind } from "./kinds.ts";

/** Stands in the templates for the version of the packages. */
const versionMark = '"VERSION"';

/**
 * Writes the program of a kind into a folder, and returns the names of its files.
 * @throws UsageError if the folder has one of them: nothing is overwritten.
 */
export function writeProgram(kind: Kind, folder: string): readonly string[] {
  const templates = new URL(`templates/${kind}/`, packageFolder);
  const names = readdirSync(templates).sort();
  const taken = names.filter((name) => existsSync(join(folder, name)));
  if (taken.length > 0)
    throw new UsageError(
      `${folder} already has ${taken.join(", ")}, and nothing was written. Name another folder: fullstop init ${kind} my-${kind}`,
    );
  writing(folder, () => createFolder(folder));
  for (const name of names) {
    const text = readFileSync(new URL(name, templates), "utf8");
    const filled = text.replaceAll(versionMark, JSON.stringify(`^${readVersion()}`));
    const file = join(folder, name);
    writing(file, () => writeFileSync(file, filled, { flag: "wx" }));
  }
  return names;
}

function writing(path: string, write: () => void): void {
  try {
    write();
  } catch (thrown) {
    throw fileError("write", path, thrown);
  }
}
