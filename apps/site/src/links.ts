import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path/posix";
import { root } from "@tooling/docs/blocks";

/** Where links may lead. */
export interface Targets {
  /** The pages of the site, by the file of the repository. */
  readonly pages: ReadonlyMap<string, string>;
  /** Files of the repository that the site holds at the same path. */
  readonly files: ReadonlySet<string>;
  /** The address of the repository, if it is known. */
  readonly repository: string | undefined;
}

/** Blocks of code, code in a line, links, and pictures. */
const codeOrLink =
  /^ *(`{3,})[^\n]*\n[\s\S]*?^ *\1`* *$|`[^`\n]+`|(?<image>!?)\[(?<label>(?:[^\][]|\[[^\]]*\])*)\]\((?<target>[^)\s]+)\)| (?<name>src|srcset)="(?<source>[^"]+)"/gm;

/**
 * A document with the links of its page: to other pages of the site, to files that the site holds,
 * and otherwise to the repository. If the address of the repository is not known, only the words
 * of such a link stay.
 */
export function rewriteLinks(text: string, file: string, targets: Targets): string {
  return text.replaceAll(codeOrLink, (whole, ...found) => {
    const part = found.at(-1) as Readonly<Record<string, string | undefined>>;
    const target = part["target"] ?? part["source"];
    if (target === undefined || /^(?:[a-z]+:|#)/.test(target)) return whole;
    const to = newTarget(target, file, targets);
    if (part["source"] !== undefined) return ` ${part["name"]}="${to}"`;
    return to === undefined ? (part["label"] ?? "") : `${part["image"]}[${part["label"]}](${to})`;
  });
}

function newTarget(
  target: string,
  file: string,
  { pages, files, repository }: Targets,
): string | undefined {
  const [path = "", hash] = target.split("#");
  const found = join(dirname(file), path).replace(/\/$/, "");
  const behind = hash === undefined ? "" : `#${hash}`;
  const inSite =
    pages.get(found) ?? pages.get(join(found, "README.md")) ?? (files.has(found) ? found : "");
  if (inSite !== "") {
    const path = relative(dirname(pages.get(file) ?? file), inSite);
    return `${path.startsWith(".") ? "" : "./"}${path}${behind}`;
  }
  if (!existsSync(join(root, found))) throw new Error(`${file} links to ${found}: it is missing.`);
  return repository === undefined ? undefined : `${repository}/blob/HEAD/${found}${behind}`;
}
