import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildPage } from "@fullstop/playground/page";
import { root } from "@tooling/docs/blocks";
import { evidenceFolder, fieldReport, readField } from "@tooling/docs/field";
import { fieldText } from "@tooling/docs/field-report";
import { fieldSections } from "@tooling/docs/guarded";
import { type Document, documentsOf, homeFile, systemFile } from "./documents.ts";
import { rewriteLinks, type Targets } from "./links.ts";
import { llmsText } from "./llms.ts";
import { collectReplies } from "./replies.ts";
import { parts, type Section, sidebarOf } from "./sidebar.ts";
import { systemPage } from "./system-page.ts";

/** What VitePress reads. Git ignores it. */
const pagesFolder: string = fileURLToPath(new URL("../dist/pages", import.meta.url));
/** Files that are published as they are. */
const publicFolder = join(pagesFolder, "public");

/** Pictures of the documents, and the traffic that some of them link. */
const pictures = ["docs/*.{svg,png}"];
const traffic = [`${evidenceFolder}/*.txt`];
const filesAt = (patterns: readonly string[]): readonly string[] =>
  globSync(patterns, { cwd: root });

function write(folder: string, file: string, text: string): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const field = readField();

/** A page for each system of the field report, and what the suite sends to them. */
async function fieldPages(): Promise<readonly Section[]> {
  const { documents, replyOf } = await collectReplies();
  const evidence = filesAt(traffic).map((file) => readFileSync(join(root, file), "utf8"));
  const systems = field.systems.map((system): Document => {
    const file = systemFile(system.name);
    const text = systemPage(system, { field, evidence, replyOf });
    return { file, page: file, title: system.title, text };
  });
  return [
    { title: "Systems", documents: systems },
    { title: "What was sent", documents },
  ];
}

/** The report with a table that can be sorted, and without what the pages of the systems show. */
const interactiveReport = (): string =>
  `---\naside: false\n---\n\n${fieldText(field, fieldSections(field), {
    tables: "## All systems\n\n<FieldTable />",
    systems: "",
  })}`;

/** Documents must not be missing in the sidebar. */
function assertComplete(documents: readonly Document[]): void {
  const shown = new Set(documents.map(({ file }) => file));
  const missing = filesAt(["docs/*.md", "packages/*/README.md", "packages/*/guides/*.md"]).filter(
    (file) => !shown.has(file),
  );
  if (missing.length > 0) throw new Error(`The sidebar lacks ${missing.join(", ")}.`);
}

/** Writes all that the site is made of. `repository` is its address, if it is known. */
export async function collect(repository?: string): Promise<void> {
  const sections = parts.map(({ title, files }) => ({ title, documents: documentsOf(files) }));
  assertComplete(sections.flatMap(({ documents }) => documents));
  const measured = await fieldPages();
  const all = [...sections, ...measured];
  const pages = [...documentsOf([homeFile]), ...all.flatMap(({ documents }) => documents)];
  const targets: Targets = {
    pages: new Map(pages.map(({ file, page }) => [file, page])),
    files: new Set(filesAt([...pictures, ...traffic])),
    repository,
  };
  rmSync(pagesFolder, { recursive: true, force: true });
  for (const { file, page, text } of pages) {
    const rewritten = rewriteLinks(text, file, targets);
    write(publicFolder, page, rewritten);
    const shown =
      file === fieldReport ? rewriteLinks(interactiveReport(), file, targets) : rewritten;
    write(pagesFolder, page, shown);
  }
  for (const file of filesAt(pictures)) cpSync(join(root, file), join(pagesFolder, file));
  for (const file of filesAt(traffic)) cpSync(join(root, file), join(publicFolder, file));
  write(publicFolder, "playground/index.html", await buildPage());
  write(publicFolder, "llms.txt", llmsText(all));
  write(pagesFolder, "sidebar.json", JSON.stringify(sidebarOf(sections, measured)));
}
