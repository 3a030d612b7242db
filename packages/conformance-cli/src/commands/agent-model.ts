import { readFileSync } from "node:fs";
import type { AgentOptions } from "../agent/subject.ts";
import { CommandError, messageOf } from "./exit.ts";

export interface ModelCommandOptions {
  readonly tool?: string;
  /** The path of a file, as for all options that end in a file. */
  readonly toolInput?: string;
  readonly finalTool?: string;
  readonly finalInput?: string;
  readonly text?: string;
}

/** Pairs of options that need each other, or exclude each other, with the sentence that says so. */
const rules: readonly {
  readonly isBroken: (options: ModelCommandOptions) => boolean;
  readonly sentence: string;
}[] = [
  {
    isBroken: ({ tool, toolInput }) => toolInput !== undefined && tool === undefined,
    sentence: "--tool-input belongs to a tool: name it with --tool.",
  },
  {
    isBroken: ({ finalTool, finalInput }) => finalInput !== undefined && finalTool === undefined,
    sentence: "--final-input belongs to a tool: name it with --final-tool.",
  },
  {
    isBroken: ({ text, tool, finalTool }) =>
      text !== undefined && (tool ?? finalTool) !== undefined,
    sentence: "--text is for a program that offers no tools: leave --tool and --final-tool out.",
  },
];

function readText(option: string, file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, "utf8");
  } catch (thrown) {
    throw new CommandError(`The file of ${option} cannot be read: ${messageOf(thrown)}`);
  }
}

/** @throws CommandError if options do not fit together, or a file cannot be read. */
export function readModelOptions(
  options: ModelCommandOptions,
): Pick<AgentOptions, keyof ModelCommandOptions> {
  const broken = rules.find(({ isBroken }) => isBroken(options));
  if (broken !== undefined) throw new CommandError(broken.sentence);
  return {
    tool: options.tool,
    toolInput: readText("--tool-input", options.toolInput),
    finalTool: options.finalTool,
    finalInput: readText("--final-input", options.finalInput),
    text: readText("--text", options.text),
  };
}

/** The options as words of a command line, in the order of the help. */
export const toModelArguments = (options: ModelCommandOptions): readonly string[] =>
  Object.entries({
    "--tool": options.tool,
    "--tool-input": options.toolInput,
    "--final-tool": options.finalTool,
    "--final-input": options.finalInput,
    "--text": options.text,
  }).flatMap(([option, value]) => (value === undefined ? [] : [option, value]));
