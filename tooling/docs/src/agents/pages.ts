import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { root } from "../blocks.ts";
import type { Generated } from "../generated-file.ts";
import { publishedFolders } from "../published.ts";
import type { Notes } from "./notes.ts";
import { notes } from "./table.ts";

interface PackageFile {
  readonly name: string;
  readonly description: string;
  readonly files: readonly string[];
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const manifestOf = (folder: string): PackageFile =>
  JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));

/** Only what is installed too: files that are published, and packages that this one needs. */
function linksOf(folder: string, { peerDependencies = {} }: PackageFile): readonly string[] {
  const own = globSync(["README.md", "API.md", "guides/*.md"], { cwd: join(root, folder) }).sort();
  const needed = Object.keys(peerDependencies)
    .filter((name) => name.startsWith("@fullstop/"))
    .map((name) => `../${basename(name)}/AGENTS.md`);
  return [...own, ...needed];
}

function pageOf(folder: string, { entry, example, mistakes }: Notes): string {
  const manifest = manifestOf(folder);
  const [[language, code = ""] = []] = Object.entries(example);
  const links = linksOf(folder, manifest).map((path) => `[${path}](${path})`);
  return `# ${manifest.name}

${manifest.description}
${entry}

\`\`\`${language}
${code}
\`\`\`

Likely mistakes:
${mistakes.map((mistake, index) => `${index + 1}. ${mistake}`).join("\n")}

More: ${links.join(" · ")}
`;
}

/** An `AGENTS.md` for each package that is published. */
export const agentPages: readonly Generated[] = publishedFolders(root).flatMap((folder) => {
  const found = notes[basename(folder)];
  return found === undefined ? [] : [{ file: `${folder}/AGENTS.md`, text: pageOf(folder, found) }];
});
