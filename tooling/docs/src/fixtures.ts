import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./blocks.ts";
import type { Generated } from "./generated-file.ts";

export const fixturesFolder = "packages/conformance/fixtures";

/**
 * The files of one protocol as a module, for places without a file system. Turn files lose their
 * white space.
 */
function moduleOf(protocol: string): string {
  const names = globSync("*", { cwd: join(root, fixturesFolder, protocol) }).sort();
  const lines = names.map((name) => {
    const text = readFileSync(join(root, fixturesFolder, protocol, name), "utf8");
    const short = name.endsWith(".turn.json") ? JSON.stringify(JSON.parse(text)) : text;
    return `  ${JSON.stringify(name)}: ${JSON.stringify(short)},`;
  });
  return [
    `/** The files of \`fixtures/${protocol}\`. Made from them by \`pnpm generate\`. */`,
    "export const files = {",
    ...lines,
    "};",
    "",
  ].join("\n");
}

const declaration = `/** The text of each file, by its name. */
export const files: Readonly<Record<string, string>>;
`;

/** A module for each protocol of the suite's fixtures, and its types. */
export const fixtureModules: readonly Generated[] = globSync("*/", {
  cwd: join(root, fixturesFolder),
}).flatMap((protocol) => {
  const name = protocol.replace(/\/$/, "");
  return [
    { file: `${fixturesFolder}/${name}.js`, text: moduleOf(name) },
    { file: `${fixturesFolder}/${name}.d.ts`, text: declaration },
  ];
});
