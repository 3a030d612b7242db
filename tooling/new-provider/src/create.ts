import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Framing, withFraming } from "./framings.ts";
import { type Names, nameProblem, namesOf, rename } from "./names.ts";

const template = fileURLToPath(new URL("../template", import.meta.url));
/**
 * Formats the created files, because a name of another length changes line breaks and the order of
 * imports.
 */
const biome = createRequire(import.meta.url).resolve("@biomejs/biome/bin/biome");
const filesIn = (folder: string): readonly string[] =>
  globSync("{*,{src,test}/**/*}.{json,md,ts}", { cwd: folder });

/** A created provider, which can be removed again. */
export interface Created {
  readonly names: Names;
  /** From the root: `packages/provider-acme`. */
  readonly folder: string;
  readonly changeset: string;
  undo(): void;
}

/** What a provider is called, and how its events come. */
export interface Wanted {
  readonly name: string;
  readonly framing: Framing;
}

/**
 * Creates the folder of a provider and its changeset. Returns a sentence if the name is refused.
 */
export function create(root: string, { name, framing }: Wanted): Created | string {
  const folder = `packages/provider-${name}`;
  const changeset = `.changeset/provider-${name}.md`;
  const refused =
    nameProblem(name, templateCode(framing)) ?? existingPath(root, [folder, changeset]);
  if (refused !== undefined) return refused;
  const names = namesOf(name);
  const lockfile = restorable(join(root, "pnpm-lock.yaml"));
  const undo = (): void => {
    for (const path of [folder, changeset])
      rmSync(join(root, path), { recursive: true, force: true });
    lockfile();
  };
  try {
    copy(join(root, folder), names, framing);
    execFileSync(process.execPath, [biome, "check", "--write", "--vcs-enabled=false", folder], {
      cwd: root,
      stdio: "pipe",
    });
    writeFileSync(
      join(root, changeset),
      `---\n"@fullstop/provider-${name}": minor\n---\n\nAn adapter for ${names.title}.\n`,
    );
  } catch (cause) {
    undo();
    throw cause;
  }
  return { names, folder, changeset, undo };
}

const existingPath = (root: string, paths: readonly string[]): string | undefined => {
  const path = paths.find((one) => existsSync(join(root, one)));
  return path === undefined
    ? undefined
    : `${path} exists already: choose another name, or remove it first.`;
};

/** The code of the template, without its comments. */
const templateCode = (framing: Framing): string =>
  filesIn(template)
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readTemplate(file, framing).replaceAll(/\/\*\*[\s\S]*?\*\//g, ""))
    .join("\n");

const readTemplate = (file: string, framing: Framing): string =>
  withFraming(readFileSync(join(template, file), "utf8"), file, framing);

function copy(folder: string, names: Names, framing: Framing): void {
  for (const file of filesIn(template)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), rename(readTemplate(file, framing), names));
  }
}

/** Returns a function that restores the current content of a file. */
function restorable(path: string): () => void {
  const before = existsSync(path) ? readFileSync(path) : undefined;
  return () =>
    before !== undefined && !readFileSync(path).equals(before) && writeFileSync(path, before);
}
