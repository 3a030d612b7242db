import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Names, nameProblem, namesOf, rename } from "./names.ts";

const template = fileURLToPath(new URL("../template", import.meta.url));
/** A name of another length sorts and breaks its lines elsewhere. */
const biome = createRequire(import.meta.url).resolve("@biomejs/biome/bin/biome");
const filesIn = (folder: string): readonly string[] =>
  globSync("{*,{src,test}/**/*}.{json,md,ts}", { cwd: folder });

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
  const folder = `packages/provider-${name}`;
  const changeset = `.changeset/provider-${name}.md`;
  const refused = nameProblem(name, templateCode()) ?? existingPath(root, [folder, changeset]);
  if (refused !== undefined) return refused;
  const names = namesOf(name);
  const lockfile = restorable(join(root, "pnpm-lock.yaml"));
  const undo = (): void => {
    for (const path of [folder, changeset])
      rmSync(join(root, path), { recursive: true, force: true });
    lockfile();
  };
  try {
    copy(join(root, folder), names);
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
    : `${path} is there already: choose another name, or remove it first.`;
};

/** The code of the template, without its comments. */
const templateCode = (): string =>
  filesIn(template)
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readFileSync(join(template, file), "utf8").replaceAll(/\/\*\*[\s\S]*?\*\//g, ""))
    .join("\n");

function copy(folder: string, names: Names): void {
  for (const file of filesIn(template)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), rename(readFileSync(join(template, file), "utf8"), names));
  }
}

/** Puts a file back as it is now. */
function restorable(path: string): () => void {
  const before = existsSync(path) ? readFileSync(path) : undefined;
  return () =>
    before !== undefined && !readFileSync(path).equals(before) && writeFileSync(path, before);
}
