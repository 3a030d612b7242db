import { mkdirSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { readCommandLine } from "@tooling/test/options";
import { buildPage } from "./page.ts";

const help = `Writes the page of the playground to apps/playground/dist/index.html. It needs no server and loads nothing.

  pnpm playground

Exit codes: 0 written; 1 failure; 2 an invalid option.
`;
readCommandLine(help, () => parseArgs({ options: { help: { type: "boolean", short: "h" } } }));

const folder = new URL("../../dist/", import.meta.url);
const page = await buildPage();
mkdirSync(folder, { recursive: true });
writeFileSync(new URL("index.html", folder), page);
process.stdout.write(
  `dist/index.html: ${page.length} bytes, ${gzipSync(page).length} bytes gzipped\n`,
);
