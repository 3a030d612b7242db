import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fillMarks } from "@tooling/docs/marks";
import { MissingToolchain, prepareSystem } from "@tooling/field/prepare";
import { root, step } from "@tooling/publish/process";
import { readCommandLine } from "@tooling/test/options";
import { tablesOf } from "./results.ts";
import { feed, readers } from "./run.ts";

const page = join(root, "docs/corpus.md");
const help = `Feeds the replies of packages/conformance/fixtures to Python clients, and prints what each makes of them.

  pnpm corpus           prints the tables
  pnpm corpus --write   also writes them to docs/corpus.md

It needs Python 3.11 or newer. The clients (tests/corpus/requirements.txt) are installed in node_modules/.cache on first use.
Exit codes: 0 success, or Python is missing; 1 failure; 2 an invalid option.
`;

const { values } = readCommandLine(help, () =>
  parseArgs({ options: { write: { type: "boolean" }, help: { type: "boolean", short: "h" } } }),
);

async function measure(): Promise<void> {
  const { command, versions } = await prepareSystem(
    {
      name: "corpus",
      title: "the readers of the corpus",
      language: "Python",
      start: ["bin/python"],
      ways: {},
    },
    join(root, "tests"),
  );
  const [python = ""] = command;
  const results = await step(`feeding ${readers.length} clients`, () => feed(python, readers));
  const names = Object.entries(versions).map(([name, version]) => `\`${name}\` ${version}`);
  const text = `Measured with ${names.join(", ")}.\n\n${tablesOf(results)}`;
  process.stdout.write(`${text}\n`);
  if (values.write)
    writeFileSync(page, fillMarks(readFileSync(page, "utf8"), "python clients", text));
}

await measure().catch((thrown: unknown) => {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  if (!(thrown instanceof MissingToolchain)) process.exitCode = 1;
});
