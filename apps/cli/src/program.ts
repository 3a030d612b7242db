import { Command, CommanderError } from "commander";
import { messageOf } from "./files.ts";
import { readVersion } from "./own-package.ts";
import { type LoadedPart, parts } from "./parts.ts";

/** The exit codes that all commands share. */
const commonCodes = { done: 0, failed: 2 } as const;

const help = `
Exit codes (fullstop help gateway has those of the gateway):
  0    done, and nothing is wrong
  1    the command did its work, and something is wrong: a flaw, a broken clause, a cut reply
  2    the command could not do its work: wrong usage, or a file that cannot be read or written
  130  interrupted (143 by SIGTERM, 129 by SIGHUP)

Examples:
  fullstop demo                                     needs no key and no network
  fullstop demo --guarded                           one agent, without and with the guard
  fullstop init agent                               a program of your own to begin with
  fullstop gateway --to anthropic --to openai
  fullstop conformance agent -- python my-agent.py
  fullstop inspect run.jsonl --open
  fullstop lint request.json --fix -o fixed.json
  fullstop help demo                                what a command does, and its options
`;

/** The name of the command that the arguments run, or whose help they ask for. */
function commandName([first, second]: readonly string[]): string {
  const name = first === "help" ? second : first;
  return name !== undefined && Object.hasOwn(parts, name) ? name : "";
}

/** Runs the program with the arguments of this process, and sets its exit code. */
export async function runProgram(): Promise<void> {
  // The reader may leave early (`| head`), also while it reads the help.
  process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
    if (code === "EPIPE" || process.exitCode === commonCodes.failed) return;
    process.exitCode = commonCodes.failed;
    process.stderr.write(`fullstop: cannot write the output: ${message}\n`);
  });
  const name = commandName(process.argv.slice(2));
  const loaded = await parts[name]?.load();
  try {
    await createProgram({ name, loaded }).parseAsync();
  } catch (thrown) {
    const isUsage = thrown instanceof CommanderError;
    process.exitCode = isUsage && thrown.exitCode === 0 ? commonCodes.done : commonCodes.failed;
    // Commander has printed its own errors already.
    if (!isUsage) process.stderr.write(`fullstop: ${(loaded?.describe ?? messageOf)(thrown)}\n`);
  }
}

/** The command line, with one command in full. Of the others it has what the help lists. */
function createProgram(named: {
  readonly name: string;
  readonly loaded: LoadedPart | undefined;
}): Command {
  const program = new Command("fullstop")
    .description("A tool call runs only when the model finished its reply.")
    .version(readVersion())
    .addHelpText("after", help)
    .showHelpAfterError("(see: fullstop --help)")
    .exitOverride();
  for (const [name, { summary }] of Object.entries(parts)) {
    const loaded = name === named.name ? named.loaded : undefined;
    const command = loaded?.command ?? new Command(name);
    program.addCommand(
      command.summary(summary).exitOverride().showHelpAfterError(`(see: fullstop ${name} --help)`),
    );
  }
  return program;
}
