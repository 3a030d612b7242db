import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Names, namesOf, refusal, renamed } from "./names.ts";

const template = fileURLToPath(new URL("../template", import.meta.url));
const filesIn = (folder: string): readonly string[] => globSync("{*,{src,test}/**/*}.{json,md,ts}", { cwd: folder });

/** What is made, and can be unmade. */
export interface Created {
  readonly names: Names;
  /** From the root: `packages/provider-acme`. */
  readonly folder: string;
  readonly changeset: string;
  undo(): void;
}

/** A provider's folder and its changeset, or a sentence that says why there is none. */
export function create(root: string, name: string): Created | string {
  const text = filesIn(template).map((file) => readFileSync(join(template, file), "utf8"));
  const refused = refusal(name, text.join("\n"));
  if (refused !== undefined) return refused;
  const folder = `packages/provider-${name}`;
  const changeset = `.changeset/provider-${name}.md`;
  const there = [folder, changeset].find((path) => existsSync(join(root, path)));
  if (there !== undefined) return `${there} is there already: choose another name, or remove it first.`;
  const names = namesOf(name);
  const lockfile = restorable(join(root, "pnpm-lock.yaml"));
  const undo = (): void => {
    for (const path of [folder, changeset]) rmSync(join(root, path), { recursive: true, force: true });
    lockfile();
  };
  try {
    copy(join(root, folder), names);
    writeFileSync(join(root, changeset), `---\n"@fullstop/provider-${name}": minor\n---\n\nAn adapter for ${names.title}.\n`);
  } catch (cause) {
    undo();
    throw cause;
  }
  return { names, folder, changeset, undo };
}

function copy(folder: string, names: Names): void {
  for (const file of filesIn(template)) {
    cpSync(join(template, file), join(folder, file));
    writeFileSync(join(folder, file), renamed(readFileSync(join(template, file), "utf8"), names));
  }
}

/** Puts a file back as it is now. */
function restorable(path: string): () => void {
  const before = existsSync(path) ? readFileSync(path) : undefined;
  return () => before !== undefined && !readFileSync(path).equals(before) && writeFileSync(path, before);
}
