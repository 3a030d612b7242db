import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@tooling/docs/blocks";

/** A document of the repository. */
export interface Document {
  /** From the root of the repository. */
  readonly file: string;
  /** Its file in the site: the same path, because links between documents then stay the same. */
  readonly page: string;
  readonly title: string;
  readonly text: string;
}

/** The page of a system of the field report. */
export const systemFile = (name: string): string => `docs/field/${name}.md`;

/** The home page of the site, and that of the repository. */
export const homeFile = "apps/site/home.md";
const renamed: Readonly<Record<string, string>> = {
  [homeFile]: "index.md",
  "README.md": "start.md",
};

const pageOf = (file: string): string =>
  renamed[file] ?? file.replace(/(?<=\/)README\.md$/, "index.md");

/** The documents at these paths, in their order. */
export const documentsOf = (patterns: readonly string[]): readonly Document[] =>
  patterns.flatMap((pattern) => {
    const files = globSync(pattern, { cwd: root }).toSorted();
    if (files.length === 0) throw new Error(`The site names ${pattern}, which does not exist.`);
    return files.map((file) => {
      const text = readFileSync(join(root, file), "utf8");
      return { file, page: pageOf(file), title: titleOf(text), text };
    });
  });

const titleOf = (text: string): string => (/^# (.+)$/m.exec(text)?.[1] ?? "").replaceAll("`", "");

/** The first sentence of a document, without marks. */
export function firstSentence(text: string): string {
  const paragraph = text
    .replaceAll(/^```[\s\S]*?^```$/gm, "")
    .split(/\n{2,}/)
    .find((part) => /^[^#<|\s`-]/.test(part) && !part.startsWith("---"));
  const plain = (paragraph ?? "").replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1").replaceAll("**", "");
  return /^.+?[.:](?=\s|$)/s.exec(plain)?.[0].replaceAll("\n", " ").replace(/:$/, ".") ?? "";
}
