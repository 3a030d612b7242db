import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { reference } from "./api.ts";
import { root } from "./blocks.ts";
import { comparison, fieldPage, fieldText, readField } from "./field.ts";
import { fixtureModules } from "./fixtures.ts";
import type { Generated } from "./generated-file.ts";
import { matrix, stopTables, wordsOf } from "./stops.ts";

const read = (file: string): string => readFileSync(join(root, file), "utf8");

/** The text with what stands between `<!-- name -->` and `<!-- /name -->` replaced. */
export function filled(text: string, name: string, content: string): string {
  const [before, rest] = text.split(`<!-- ${name} -->\n`);
  const [, after] = rest?.split(`<!-- /${name} -->`) ?? [];
  if (before === undefined || after === undefined)
    throw new Error(`There is no <!-- ${name} --> … <!-- /${name} -->.`);
  return `${before}<!-- ${name} -->\n${content}\n<!-- /${name} -->${after}`;
}

/** Told before the others: everybody needs the first, and most the second. */
const first = ["packages/loop", "packages/core"];
const byImportance = (a: string, b: string): number =>
  first.indexOf(dirname(b)) - first.indexOf(dirname(a));

/** A row for each package: what it is, in the words of its package.json. */
function packages(): string {
  const rows = globSync("packages/*/package.json", { cwd: root })
    .sort()
    .sort(byImportance)
    .map((file) => {
      const { name, description } = JSON.parse(read(file)) as {
        readonly name: string;
        readonly description: string;
      };
      return `| [\`${name}\`](${dirname(file)}) | ${description} |`;
    });
  return ["| package | what it is |", "|---|---|", ...rows].join("\n");
}

function providerPages(): readonly Generated[] {
  const pages = Object.groupBy(stopTables, ({ package: folder }) => folder);
  return Object.entries(pages).map(([folder, tables = []]) => {
    const file = `packages/${folder}/README.md`;
    const text = tables.reduce(
      (page, stops) => filled(page, `stops ${stops.protocol}`, wordsOf(stops)),
      read(file),
    );
    return { file, text };
  });
}

/** Documents that show files of the repository whole, between `<!-- file path -->` and its end. */
const showing: readonly Generated[] = ["CONTRIBUTING.md", "packages/conformance/README.md"].map(
  (file) => {
    const paths = [...read(file).matchAll(/<!-- file (\S+) -->/g)].map(([, path = ""]) => path);
    const text = paths.reduce(
      (page, path) => filled(page, `file ${path}`, `\`\`\`typescript\n${read(path)}\`\`\``),
      read(file),
    );
    return { file, text };
  },
);

function readme(): string {
  const parts = { packages: packages(), stops: matrix(), field: comparison(field) };
  return Object.entries(parts).reduce(
    (text, [name, content]) => filled(text, name, content),
    read("README.md"),
  );
}

const field = readField();

/** Everything that is generated, as it should be now. */
export const generated: readonly Generated[] = [
  { file: "README.md", text: readme() },
  { file: "FIELD.md", text: fieldText(field) },
  { file: "FIELD.html", text: fieldPage(field) },
  ...providerPages(),
  ...showing,
  ...fixtureModules,
  ...globSync("packages/*", { cwd: root })
    .sort()
    .map((folder) => ({ file: `${folder}/API.md`, text: reference(join(root, folder)) })),
];
