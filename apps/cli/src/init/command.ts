import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { Argument, Command } from "commander";
import { UsageError } from "../files.ts";
import { packageFolder } from "../own-package.ts";
import { type Kind, kindNames, kindOf, kinds } from "./kinds.ts";
import { writeProgram } from "./write.ts";

const choices = kindNames.map((kind, index) => `  ${index + 1}  ${kind}: ${kinds[kind].answer}\n`);

const initHelp = `
Without a kind it asks one question:
${choices.join("")}
It writes a package.json, a tsconfig.json and one or two programs, which run without a key.
It overwrites nothing, installs nothing and sends nothing.

Exit codes:
  0    the program is written
  2    wrong usage, or the folder has one of the files already

Examples:
  fullstop init
  fullstop init agent
  fullstop init judge ./my-framework
`;

export const initCommand = (): Command =>
  new Command("init")
    .description("Write a small program that runs without a key.")
    .addArgument(new Argument("[kind]", "what to begin with").choices(kindNames))
    .argument("[folder]", "where to write (default: fullstop-KIND)")
    .addHelpText("after", initHelp)
    .action(async (named: Kind | undefined, given: string | undefined) => {
      const kind = named ?? (await askKind());
      const folder = given ?? `fullstop-${kind}`;
      const names = writeProgram(kind, folder);
      process.stdout.write(`Wrote ${names.join(", ")} into ${folder}. Next:\n\n`);
      for (const line of nextCommands(kind, folder)) process.stdout.write(`  ${line}\n`);
      process.stdout.write(`\n${kinds[kind].shows}\n`);
    });

/** Asks a person until the answer is a kind. */
async function askKind(): Promise<Kind> {
  if (process.stdin.isTTY) {
    const lines = createInterface({ input: process.stdin });
    const ask = (): void => void process.stdout.write(`What do you have?\n${choices.join("")}> `);
    ask();
    for await (const line of lines) {
      const kind = kindOf(line);
      if (kind !== undefined) {
        lines.close();
        return kind;
      }
      ask();
    }
  }
  throw new UsageError(
    `name what to begin with: ${kindNames.map((kind) => `fullstop init ${kind}`).join(", ")}`,
  );
}

function nextCommands(kind: Kind, folder: string): readonly string[] {
  const node = process.features.typescript ? [] : ["# needs Node 22.18 or newer"];
  const enter = resolve(folder) === process.cwd() ? [] : [`cd ${shellWord(folder)}`];
  const commands = isClone() ? commandsInClone(kind) : ["npm install", "npm start"];
  return [...node, ...enter, ...commands];
}

const isClone = (): boolean => existsSync(new URL("../../pnpm-workspace.yaml", packageFolder));

/** A path as one word of a shell. */
const shellWord = (path: string): string =>
  /^[\w@%+=:,./\\-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;

/** npm does not have the packages of a clone, so the program uses their sources. */
function commandsInClone(kind: Kind): readonly string[] {
  const sources = "node --conditions=@fullstop/source";
  const main = shellWord(fileURLToPath(new URL("src/main.ts", packageFolder)));
  if (kind === "judge") return [`${sources} ${main} conformance agent -- node agent.ts`];
  const modules = shellWord(fileURLToPath(new URL("node_modules", packageFolder)));
  return [`ln -s ${modules}`, `${sources} agent.ts`];
}
