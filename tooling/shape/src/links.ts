import { dirname, join } from "node:path/posix";
import GithubSlugger from "github-slugger";
import { type Files, packagesOf, type Rule } from "./files.ts";

/** A relative link leads to an existing file and heading. */
export const links: Rule = (files) =>
  [...files]
    .filter(([path]) => path.endsWith(".md"))
    .flatMap(([path, text]) =>
      linksOf(text)
        .filter((target) => !leadsSomewhere(files, path, target))
        .map((target) => `${path}: ${target} leads nowhere`),
    );

/**
 * The documents of a package link only to files that it ships, or to files of another package,
 * because an installed package has no repository around it.
 */
export const shippedLinks: Rule = (files) => {
  const unpublished = packagesOf(files).flatMap(({ folder, manifest }) =>
    manifest.private ? [`${folder}/`] : [],
  );
  const isShippedDocument = (path: string): boolean =>
    packageDocument.test(path) && !unpublished.some((folder) => path.startsWith(folder));
  return [...files]
    .filter(([path]) => isShippedDocument(path))
    .flatMap(([path, text]) =>
      linksOf(text)
        .filter(
          (target) =>
            !target.startsWith("#") &&
            !isShipped(files, join(dirname(path), target.split("#")[0] ?? "")),
        )
        .map((target) => `${path}: ${target} is not in an installed package`),
    );
};

const packageDocument = /^packages\/[^/]+\/(guides\/)?[^/]+\.md$/;

/** Whether the target is a package, a file that npm always ships, or listed in its `files`. */
function isShipped(files: Files, target: string): boolean {
  const [, folder = "", inside = ""] = /^(packages\/[^/]+)\/?(.*)$/.exec(target) ?? [];
  const { files: named = [] } = JSON.parse(files.get(`${folder}/package.json`) ?? "{}") as {
    readonly files?: readonly string[];
  };
  const shipped = ["", "README.md", "package.json", ...named];
  return (
    files.has(`${folder}/package.json`) &&
    shipped.some((one) => inside === one || inside.startsWith(`${one}/`))
  );
}

/** The relative links of a page. */
const linksOf = (text: string): readonly string[] =>
  [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map((found) => found[1] ?? "")
    .filter((target) => !/^[a-z]+:/.test(target));

const prose = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, "");

function leadsSomewhere(files: Files, from: string, target: string): boolean {
  const [file = "", heading] = target.split("#");
  const path = file === "" ? from : join(dirname(from), file).replace(/\/$/, "");
  const text = files.get(path);
  if (text === undefined) return heading === undefined && isFolderOrOther(files, path);
  return heading === undefined || headings(text).includes(heading);
}

/** Whether the path is a folder, or a file that is not read. */
const isFolderOrOther = (files: Files, path: string): boolean =>
  ["LICENSE", ".ci/run"].includes(path) ||
  [...files.keys()].some((one) => one.startsWith(`${path}/`));

/** The anchors of a page. A repeated heading gets a number. */
function headings(text: string): readonly string[] {
  const slugger = new GithubSlugger();
  return [...prose(text).matchAll(/^#+ +(.+)$/gm)].map(([, title = ""]) => slugger.slug(title));
}
