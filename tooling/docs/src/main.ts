import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readCommandLine } from "@tooling/test/options";
import { root } from "./blocks.ts";
import { generated } from "./generated.ts";

const help = `Writes what the documents take from sources and results: ${generated.map(({ file }) => file).join(", ")}.

  pnpm generate

Exit codes: 0 written; 1 failure; 2 an invalid option.
`;
readCommandLine(help, () => parseArgs({ options: { help: { type: "boolean", short: "h" } } }));

for (const { file, text } of generated) writeFileSync(join(root, file), text);
process.stdout.write(`Wrote ${generated.map(({ file }) => file).join(", ")}.\n`);
