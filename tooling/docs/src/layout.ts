import { basename, dirname } from "node:path/posix";

export interface LayoutDifferences {
  /** Files that the layout does not name. */
  readonly missing: readonly string[];
  /** Names in the layout that are neither a file nor a folder. */
  readonly unknown: readonly string[];
}

/** The indented names of a layout: a name, at least two spaces, and a description. */
const namesIn = (layout: string): readonly string[] =>
  [...layout.matchAll(/^ {4,}([\w-]+(?:\/[\w-]+)*\/?)(?: {2,}.*)?$/gm)].map(
    ([, name = ""]) => name,
  );

/**
 * Compares a layout with files, which are paths without extension.
 * A line that ends in `/` names a folder with all of its files. Other lines name a file by its path
 * or base name.
 */
export function compareLayout(layout: string, files: readonly string[]): LayoutDifferences {
  const names = new Set(namesIn(layout));
  const isNamed = (file: string): boolean =>
    names.has(file) || names.has(basename(file)) || names.has(`${dirname(file)}/`);
  const isKnown = (name: string): boolean =>
    name.endsWith("/")
      ? files.some((file) => `${dirname(file)}/` === name)
      : files.some((file) => file === name || basename(file) === name);
  return {
    missing: files.filter((file) => !isNamed(file)),
    unknown: [...names].filter((name) => !isKnown(name)),
  };
}
