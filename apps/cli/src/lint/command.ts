import { rules, type ShapeName, shapeNames, TranscriptError } from "@fullstop/lint";
import { Command, Option } from "commander";
import { wrap } from "../demo/terminal.ts";
import { readInput, UsageError } from "../files.ts";
import { describeChecks, writeJson } from "./output.ts";
import { checkFile, writeFixed } from "./work.ts";

interface LintFlags {
  readonly shape?: ShapeName;
  readonly fix?: true;
  readonly output?: string;
  readonly write?: true;
  readonly json?: true;
}

const ruleList = Object.entries(rules).map(([id, { sentence, fixable }]) => {
  const [first = "", ...rest] = wrap(`${sentence}${fixable ? " (--fix repairs it)" : ""}`, 58);
  return [`  ${id.padEnd(20)} ${first}`, ...rest.map((line) => `${" ".repeat(23)}${line}`)].join(
    "\n",
  );
});

const lintHelp = `
What is read:
  A JSON array of messages, JSON Lines with a message on each line, or request
  bodies (one, or one on each line). The shape is recognized by its evidence:
  a history of Fullstop, ModelMessage and UIMessage of the AI SDK, OpenAI Chat
  (messages) and Responses (input), Anthropic (messages), Gemini (contents).
  If a file fits none or several of them, --shape settles it.
  Also recordings of @fullstop/inspect: what each run sent is checked, request by
  request. Journals are not read: they do not have what was sent.

Rules (the output names who refuses such a request, and a page that shows it;
messages are counted from 0, as providers count them):
${ruleList.join("\n")}

What --fix does:
  It adds an error result to each call that has none: the result says that the
  call may or may not have run. It removes results without calls and calls
  without names, and renames ids that are used twice. It writes the file to
  standard output, to --output, or with --write over the input. What was
  repaired and what is left goes to standard error.

Lines of --json (one object each, named by "type"):
  flaw       file, line, message, rule, id, sentence, effect, reference, fixable;
             in a recording run and request, in place of line
  fixed      the same, of a flaw that --fix repaired
  checked    file, line or run, shape, evidence, messages, flaws
  note       file, note: what cannot be read in a recording
  summary    files, flaws, fixed

Exit codes:
  0    no flaws; with --fix, no flaws are left
  1    flaws
  2    wrong usage, or a file that is not a transcript

Environment:
  NO_COLOR, FORCE_COLOR    without and with colours

Examples:
  fullstop lint request.json
  fullstop lint messages.jsonl --shape anthropic
  fullstop lint run.jsonl     (a recording)
  fullstop lint messages.json --fix -o repaired.json
  cat request.json | fullstop lint - --json | jq -r 'select(.type == "flaw") | .rule'
`;

export const lintCommand = (): Command =>
  new Command("lint")
    .description(
      "Find what a provider would refuse in a transcript of tool calls, and what it would read wrongly.\nNeeds no key and no network.",
    )
    .argument("<file...>", "transcripts; - is standard input")
    .addOption(new Option("--shape <shape>", "the shape of the messages").choices(shapeNames))
    .option("--fix", "repair what is safe to repair")
    .option("-o, --output <file>", "where --fix writes the repaired file")
    .option("--write", "let --fix write over the input")
    .option("--json", "print JSON lines")
    .addHelpText("after", lintHelp)
    .action(async (files: readonly string[], flags: LintFlags) => {
      process.exitCode = await runLint(files, flags);
    });

async function runLint(files: readonly string[], flags: LintFlags): Promise<number> {
  try {
    assertUsage(files, flags);
    const checks = [];
    for (const file of files) {
      const checked = checkFile(file, await readInput(file), flags);
      if (flags.fix) await writeFixed(checked, flags);
      checks.push(checked);
    }
    // The repaired file has standard output for itself.
    const report = flags.fix && !flags.write && !flags.output ? process.stderr : process.stdout;
    if (flags.json) writeJson(checks, report);
    else describeChecks(checks, report);
    return checks.some(({ left }) => left.length > 0) ? 1 : 0;
  } catch (thrown) {
    if (!(thrown instanceof TranscriptError || thrown instanceof UsageError)) throw thrown;
    process.stderr.write(`fullstop lint: ${thrown.message}\n`);
    return 2;
  }
}

function assertUsage(files: readonly string[], { fix, output, write }: LintFlags): void {
  if ((output !== undefined || write) && !fix)
    throw new UsageError("--output and --write need --fix.");
  if (output !== undefined && write)
    throw new UsageError("--output and --write exclude each other.");
  if (write && files.includes("-")) throw new UsageError("--write cannot write to standard input.");
  if (fix && !write && files.length > 1)
    throw new UsageError("--fix takes one file, or several with --write.");
}
