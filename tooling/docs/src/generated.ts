import { globSync, readFileSync } from "node:fs";
import { dirname, extname, join, relative } from "node:path";
import { agentPages } from "./agents/pages.ts";
import { entryPointsOf, reference } from "./api.ts";
import { root } from "./blocks.ts";
import { coderEnds } from "./coder-ends.ts";
import { readCoders } from "./coders.ts";
import { corpus } from "./corpus.ts";
import { drawDiagram } from "./diagram.ts";
import { diagrams } from "./diagrams.ts";
import { endingTable, messagesHostTable } from "./endings.ts";
import { errorTables } from "./errors.ts";
import { fieldReport, readField } from "./field.ts";
import { fieldText } from "./field-report.ts";
import { fieldSummary, leakSummary } from "./field-tables.ts";
import type { Generated } from "./generated-file.ts";
import { fieldSections } from "./guarded.ts";
import { limitsTable } from "./limits.ts";
import { textTable } from "./markdown.ts";
import { fillMarks } from "./marks.ts";
import { dialectOutputTable, outputTable } from "./outputs.ts";
import { demoReply, drawSvg, themeNames } from "./picture.ts";
import { publishedFolders } from "./published.ts";
import { skillPages } from "./skill.ts";
import { nativeStopsOf, stopMatrix, stopTables } from "./stops.ts";
import { taskLinesOf, taskLinesTable } from "./task-lines.ts";

const read = (file: string): string => readFileSync(join(root, file), "utf8");

/** The packages at the top of the table, the last one first. */
const mainPackages = ["packages/loop", "packages/core"];
const byImportance = (a: string, b: string): number =>
  mainPackages.indexOf(b) - mainPackages.indexOf(a);

/** A row for each folder, with the description of its package.json. */
function folderTable(
  folders: readonly string[],
  labelOf: (name: string, folder: string) => string,
): string {
  const rows = folders.map((folder) => {
    const { name, description } = JSON.parse(read(`${folder}/package.json`)) as {
      readonly name: string;
      readonly description: string;
    };
    return [labelOf(name, folder), description];
  });
  return textTable(["package", "what it is"], rows);
}

/** What is published, with links. */
const packageTable = (): string =>
  folderTable(
    publishedFolders(root).toSorted(byImportance),
    (name, folder) => `[\`${name}\`](${relative("packages", folder)})`,
  );

/** The folders of tools, and of the tests across packages. */
const toolTable = (): string =>
  folderTable(
    globSync("{tests,tooling}/*/package.json", { cwd: root }).map(dirname).toSorted(),
    (_, folder) => `[\`${folder}\`](${relative("tooling", folder)})`,
  );

function providerPages(): readonly Generated[] {
  const pages = Object.groupBy(stopTables, ({ package: folder }) => folder);
  return Object.entries(pages).map(([folder, tables = []]) => {
    const file = `packages/${folder}/README.md`;
    const text = tables.reduce(
      (page, stops) => fillMarks(page, `stops ${stops.protocol}`, nativeStopsOf(stops)),
      fillFiles(read(file)),
    );
    return {
      file,
      text: folder === "provider-anthropic" ? fillMarks(text, "hosts", messagesHostTable()) : text,
    };
  });
}

/** The names of languages in code blocks, by the extension of files. */
const blockLanguages: Readonly<Record<string, string>> = {
  ".ts": "typescript",
  ".py": "python",
  ".go": "go",
};
const blockOf = (path: string): string =>
  `\`\`\`${blockLanguages[extname(path)] ?? ""}\n${read(path)}\`\`\``;

/** Shows whole files of the repository, between `<!-- file path -->` marks. */
function fillFiles(page: string): string {
  const paths = [...page.matchAll(/<!-- file (\S+) -->/g)].map(([, path = ""]) => path);
  return paths.reduce((text, path) => fillMarks(text, `file ${path}`, blockOf(path)), page);
}
/** Documents that show such files, and have no other generated part. */
const pagesWithFiles: readonly Generated[] = [
  "CONTRIBUTING.md",
  "docs/agents-in-go.md",
  "docs/agents-in-python.md",
  "docs/from-langchain.md",
  "docs/from-openai-agents.md",
  "packages/conformance/README.md",
  "packages/provider-copilot/README.md",
].map((file) => ({ file, text: fillFiles(read(file)) }));

/** The lines are those of the blocks of the page, as it is now. */
function comparedPage(file: string, library: string, name: string): Generated {
  const page = fillFiles(read(file));
  return { file, text: fillMarks(page, "lines", taskLinesTable(taskLinesOf(page, library), name)) };
}

function filledPage(file: string, parts: Readonly<Record<string, string>>): Generated {
  const text = Object.entries(parts).reduce(
    (page, [name, content]) => fillMarks(page, name, content),
    read(file),
  );
  return { file, text: fillFiles(text) };
}

/** The reply in the picture: cut at the cap, and relabelled as finished. */
const picturedReply = demoReply(2);
const field = readField();
const coders = readCoders();

/** Everything that is generated, as it should be now. */
export const generated: readonly Generated[] = [
  filledPage("README.md", { field: fieldSummary(field) }),
  filledPage("packages/README.md", { packages: packageTable() }),
  filledPage("tooling/README.md", { tools: toolTable() }),
  filledPage("packages/loop/guides/recovery.md", {
    "leaks in the field": `${leakSummary(field)} \`docs/field-report.md\` of the repository names them.`,
  }),
  filledPage("docs/errors.md", await errorTables()),
  filledPage("docs/stop-reasons.md", { stops: stopMatrix(), endings: endingTable() }),
  filledPage("packages/core/README.md", { outputs: await outputTable() }),
  filledPage("packages/provider-openai-compatible/README.md", {
    outputs: await dialectOutputTable(),
    endings: endingTable(),
  }),
  filledPage("apps/gateway/README.md", { limits: await limitsTable() }),
  ...(coders ? [filledPage("docs/coding-agents.md", { ends: coderEnds(coders) })] : []),
  { file: fieldReport, text: fieldText(field, fieldSections(field)) },
  ...themeNames.map((theme) => ({
    file: `docs/demo-${theme}.svg`,
    text: drawSvg(picturedReply, theme),
  })),
  ...themeNames.flatMap((theme) =>
    diagrams.map((diagram) => ({
      file: `docs/${diagram.name}-${theme}.svg`,
      text: drawDiagram(diagram, theme),
    })),
  ),
  ...providerPages(),
  ...pagesWithFiles,
  comparedPage("docs/from-ai-sdk.md", "ai-sdk", "AI SDK 7"),
  ...agentPages,
  ...skillPages,
  corpus,
  ...publishedFolders(root)
    .filter((folder) => entryPointsOf(join(root, folder)).length > 0)
    .map((folder) => ({ file: `${folder}/API.md`, text: reference(join(root, folder)) })),
];
