import { lstatSync, realpathSync } from "node:fs";
import { isAbsolute, join, relative, sep, win32 } from "node:path";

/** Gives the real path of one in the folder. Throws for everything that leads, or may lead, out of it. */
export type Jail = (path: string) => string;

export function createJail(folder: string): Jail {
  const root = realpathSync(folder);
  return (path) => {
    if (path === "" || path.includes("\0"))
      throw new Error(
        `"${path.replaceAll("\0", "\\0")}" is no path. Give one inside the folder, such as "index.html".`,
      );
    if (isAbsolute(path) || win32.isAbsolute(path) || win32.parse(path).root !== "")
      throw outside(path);
    const target = join(root, path);
    const inside = relative(root, target);
    if (inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside)) throw outside(path);
    refuseLinks(root, inside === "" ? [] : inside.split(sep));
    return target;
  };
}

const outside = (path: string): Error =>
  new Error(`"${path}" leads out of the folder. Only relative paths inside it are allowed.`);

/** A link may lead anywhere, also later: none is followed. */
function refuseLinks(root: string, names: readonly string[]): void {
  let at = root;
  for (const name of names) {
    at = join(at, name);
    const found = lstatSync(at, { throwIfNoEntry: false });
    if (found === undefined) return;
    if (found.isSymbolicLink())
      throw new Error(`"${relative(root, at)}" is a symbolic link, and links are not followed.`);
  }
}
