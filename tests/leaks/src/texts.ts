import { createHash } from "node:crypto";
import { globSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { cache, runProgram } from "@tooling/publish/process";
import { packages } from "./packages.ts";

const folder = join(cache, "leaks");

interface Package {
  readonly name: string;
  /** The file of the registry, which has the version in its name. */
  readonly file: string;
  readonly documents: string;
}

/** Downloads a package and unpacks it, without installing it or running anything of it. */
async function download(registry: "npm" | "pypi", name: string): Promise<Package> {
  const home = join(folder, registry, name.replace("/", "__"));
  const documents = join(home, "documents");
  mkdirSync(documents, { recursive: true });
  const found = (): string | undefined => readdirSync(home).find((file) => file !== "documents");
  if (found() === undefined) {
    await runProgram(
      registry === "npm"
        ? ["npm", "pack", name, "--ignore-scripts", "--pack-destination", "."]
        : [
            "python3",
            "-m",
            "pip",
            "download",
            name,
            "--ignore-requires-python",
            "--no-deps",
            "--only-binary=:all:",
            "-d",
            ".",
          ],
      { cwd: home },
    );
    const file = found() ?? "";
    await runProgram(
      file.endsWith(".whl")
        ? ["python3", "-m", "zipfile", "-e", `../${file}`, "."]
        : ["tar", "-xzf", `../${file}`],
      { cwd: documents },
    );
  }
  return { name, file: found() ?? "", documents };
}

const talksOfCalls =
  /tool[ _-]?(?:call|use)|function[ _-]?call|<tool_call|<invoke|<function=|to=functions|\[TOOL_CALLS\]/i;
const shortest = 80;
const longest = 100_000;

/** How the texts of a file are found: the sections of a document, and what explains code. */
const readers: Readonly<Record<"document" | "python" | "script", (source: string) => string[]>> = {
  document: (source) => source.split(/^(?=#{1,4} )/m),
  python: (source) => [...source.matchAll(/^[ \t]*r?"""(.*?)"""/gms)].map(([, text = ""]) => text),
  script: (source) =>
    [...source.matchAll(/\/\*\*(.*?)\*\//gs)].map(([, text = ""]) =>
      text.replace(/^\s*\* ?/gm, ""),
    ),
};
const readerOf = (path: string): keyof typeof readers => {
  if (path.endsWith(".py")) return "python";
  return /\.[cm]?[jt]sx?$/.test(path) ? "script" : "document";
};

/** The texts of a file that talk about tool calls. */
function textsOf(path: string): readonly string[] {
  if (statSync(path).size > 20_000_000) return [];
  return readers[readerOf(path)](readFileSync(path, "utf8"))
    .map((text) => text.trim())
    .filter(({ length }) => length >= shortest && length <= longest)
    .filter((text) => talksOfCalls.test(text));
}

/** What the documents of one package have. */
export interface PackageTexts {
  readonly package: string;
  readonly texts: readonly string[];
}

/** The texts of all packages, each once. */
export async function collectTexts(): Promise<readonly PackageTexts[]> {
  const seen = new Set<string>();
  const isNew = (text: string): boolean => {
    const key = createHash("sha256").update(text).digest("base64");
    return !seen.has(key) && seen.add(key) !== undefined;
  };
  const collected: PackageTexts[] = [];
  for (const registry of ["npm", "pypi"] as const) {
    for (const name of packages[registry]) {
      const { file, documents } = await download(registry, name);
      const paths = globSync("**/{METADATA,*.{md,mdx,rst,txt,py,ts,mts,js,mjs}}", {
        cwd: documents,
      });
      const texts = paths.sort().flatMap((path) => textsOf(join(documents, path)));
      collected.push({ package: `${registry}:${basename(file)}`, texts: texts.filter(isNew) });
    }
  }
  return collected;
}
