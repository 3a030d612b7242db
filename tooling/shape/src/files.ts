import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A repository as data: paths from its root, and the texts of the files. */
export type Files = ReadonlyMap<string, string>;
/** Returns one sentence for each violation. */
export type Rule = (files: Files) => readonly string[];

const ignoredFolders = new Set(["node_modules", "dist", "coverage", ".git", ".turbo"]);
/** The tests of `tooling/docs` write here and remove it, also while these tests read. */
const isTemporary = (path: string): boolean => /tooling[\\/]docs[\\/]blocks$/.test(path);

export const root: string = fileURLToPath(new URL("../../..", import.meta.url));

export function readFiles(): Files {
  const texts = [
    "**/*.{ts,mjs,md,json,py,go,rs,java,html,txt}",
    ".github/ISSUE_TEMPLATE/*.yml",
    ".github/workflows/*.yml",
    "**/action.yml",
  ];
  const paths = globSync(texts, {
    cwd: root,
    exclude: (path) => isTemporary(path) || ignoredFolders.has(path.split(/[\\/]/).at(-1) ?? ""),
  });
  return new Map(
    paths.map((path) => [path.replaceAll("\\", "/"), readFileSync(join(root, path), "utf8")]),
  );
}

/** The same repository with changed files; `undefined` removes a file. */
export function withChanges(
  files: Files,
  changes: Readonly<Record<string, string | undefined>>,
): Files {
  const copy = new Map(files);
  for (const [path, text] of Object.entries(changes)) {
    if (text === undefined) copy.delete(path);
    else copy.set(path, text);
  }
  return copy;
}

export interface Package {
  /** `packages/core` */
  readonly folder: string;
  /** `core` */
  readonly short: string;
  readonly manifest: Manifest;
}
export type Exports = Readonly<Record<string, string | Readonly<Record<string, string>>>>;
export interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly license?: string;
  readonly engines?: { readonly node?: string };
  readonly exports?: Exports;
  /** The names that begin with `#`. */
  readonly imports?: Readonly<Record<string, unknown>>;
  readonly publishConfig?: { readonly exports?: Exports };
  /** Dev dependencies that the package brings along. */
  readonly bundled?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** The published packages: the folders in `packages`, and in `apps` without what is private. */
export function packagesOf(files: Files): readonly Package[] {
  return [...files].flatMap(([path, text]) => {
    const [, folder = "", parent, short] =
      /^((packages|apps)\/([^/]+))\/package\.json$/.exec(path) ?? [];
    if (short === undefined) return [];
    const manifest = JSON.parse(text) as Manifest;
    return parent === "apps" && manifest.private ? [] : [{ folder, short, manifest }];
  });
}

export const sourcesOf = (
  files: Files,
  folder: string,
): readonly (readonly [path: string, text: string])[] =>
  [...files].filter(([path]) => path.startsWith(`${folder}/src/`) && path.endsWith(".ts"));
