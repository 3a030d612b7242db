import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./blocks.ts";
import { generated } from "./generated.ts";

for (const { file, text } of generated) writeFileSync(join(root, file), text);
process.stdout.write(`Wrote ${generated.map(({ file }) => file).join(", ")}.\n`);
