import { basename, dirname } from "node:path/posix";

export interface LayoutDifferences {
  /** Files that the layout does not name. */
  readonly missing: readonly string[];
  /** Names in the layout that are neither a file nor a folder. */
  readonly unknown: readonly string[];
}

/** The indented names of a layout: a name, at least two spaces, and a description. */
const namesIn = (layout: string): readonly string[] =>
  [...layout.matchAll(/^ {4,}([\w/-]+?)\/?(?: {2,}.*)?$/gm)].map(([, name = ""]) => name);

/**
 * Compares a layout with files, which are paths without extension.
 * A line names a file by its path or base name, or a folder whose files have no lines of their own.
 */
export function compareLayout(layout: string, files: readonly string[]): LayoutDifferences {
  const names = new Set(namesIn(layout));
  const isNamed = (file: string): boolean => names.has(file) || names.has(basename(file));
  const isFolder = (name: string): boolean =>
    files.some((file) => `/${dirname(file)}/`.includes(`/${name}/`));
  const isInNamedFolder = (file: string): boolean => {
    const folder = dirname(file);
    const siblings = files.filter((other) => dirname(other) === folder);
    return folder.split("/").some((name) => names.has(name)) && !siblings.some(isNamed);
  };
  return {
    missing: files.filter((file) => !isNamed(file) && !isInNamedFolder(file)),
    unknown: [...names].filter(
      (name) => !isFolder(name) && !files.some((file) => file === name || basename(file) === name),
    ),
  };
}
