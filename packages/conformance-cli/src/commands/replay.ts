import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AdapterSubject } from "@fullstop/conformance";
import {
  builtinSubject,
  type RecordedTurn,
  type Replay,
  readRecordings,
  replay,
  replayClauses,
  type WireName,
} from "@fullstop/conformance/replay";
import { wires } from "@fullstop/conformance/wires";
import { type Command, Option } from "commander";
import { loadSubjects } from "./adapter.ts";
import { throwCommandError } from "./exit.ts";
import { helpOf } from "./help.ts";
import {
  createJudgeCommand,
  type JudgeCommandOptions,
  judgeAndReport,
  parseCount,
  type SubjectToJudge,
} from "./judging.ts";

interface ReplayCommandOptions extends Omit<JudgeCommandOptions, "clauses"> {
  readonly wire?: WireName;
  readonly adapter?: string;
  readonly exhaustive?: true;
  readonly sample?: number;
  readonly write?: true;
}

export const replayCommand = (): Command =>
  createJudgeCommand("replay", replayClauses)
    .summary("ask the clauses about replies that you recorded")
    .description("Read recorded replies, print their turns, and try every mutation on them.")
    .argument("<folder>", "a folder with recordings")
    .addOption(
      new Option(
        "--wire <name>",
        "their protocol, read with its @fullstop/provider package",
      ).choices(Object.keys(wires)),
    )
    .addOption(
      new Option(
        "--adapter <module>",
        "a module whose default export is a subject: an adapter and its wire",
      ).conflicts("wire"),
    )
    .option("--exhaustive", "cut at every byte, instead of where readers usually fail")
    .option("--sample <n>", "try at most <n> places of each recording", parseCount)
    .option(
      "--write",
      "write each turn as NAME.turn.json if there is none: review it before you trust it",
    )
    .addHelpText("after", helpOf("replay"))
    .action(async (folder: string, options: ReplayCommandOptions) => {
      const prepare = async (): Promise<readonly SubjectToJudge[]> => {
        const replays = await readReplays(folder, options).catch(throwCommandError);
        for (const { subject, replayed } of replays) printTurns(subject, replayed, options);
        if (options.write && replays[0] !== undefined)
          await writeTurns(folder, replays[0].replayed);
        return replays.map(({ subject, replayed }) =>
          replayToJudge(subject, replayed, { folder, ...options }),
        );
      };
      process.exitCode = await judgeAndReport(prepare, { ...options, clauses: replayClauses });
    });

/** Reads the recordings with each adapter, and says on standard error which files are none. */
async function readReplays(folder: string, options: ReplayCommandOptions) {
  const subjects = await loadAdapters(options);
  return Promise.all(
    subjects.map(async (subject) => {
      const { recordings, others } = await readRecordings(folder, subject.wire);
      for (const file of others)
        process.stderr.write(
          `Skipped: ${file} does not look like a reply of ${subject.wire.name}.\n`,
        );
      return { subject, replayed: await replay(subject, recordings) };
    }),
  );
}

async function loadAdapters({
  wire,
  adapter,
}: ReplayCommandOptions): Promise<readonly AdapterSubject[]> {
  if (wire !== undefined) return [await builtinSubject(wire, process.cwd())];
  if (adapter === undefined)
    throw new Error(
      `Name the adapter that reads them: --wire ${Object.keys(wires).join(" | ")}, or --adapter <module>.`,
    );
  const adapters = (await loadSubjects(adapter)).filter((subject) => "adapter" in subject);
  if (adapters.length === 0)
    throw new Error(`The default export of ${adapter} is not a subject with an adapter.`);
  return adapters;
}

/** Prints the turns, unless standard output is a report for a program. */
function printTurns(
  subject: AdapterSubject,
  { replayed }: Replay,
  { reporter, output }: ReplayCommandOptions,
): void {
  if (reporter !== "terminal" && output === undefined) return;
  for (const { recording, turn } of replayed)
    process.stdout.write(
      `${recording.file}, read by ${subject.name ?? subject.wire.name}\n${formatTurn(turn)}\n`,
    );
}

const formatTurn = (turn: RecordedTurn): string => `${JSON.stringify(turn, null, 2)}\n`;

/** Writes the turns without a file. A reply that was recorded in two forms has one file. */
async function writeTurns(folder: string, { replayed }: Replay): Promise<void> {
  const unwritten = new Map(
    replayed
      .filter(({ recording }) => !recording.expected)
      .map(({ recording, turn }) => [join(folder, recording.turnFile), turn]),
  );
  for (const [path, turn] of unwritten) {
    await writeFile(path, formatTurn(turn), { flag: "wx" });
    process.stderr.write(`Written: ${path}\n`);
  }
}

function replayToJudge(
  subject: AdapterSubject,
  { verdicts }: Replay,
  {
    folder,
    wire,
    adapter,
    exhaustive,
    sample,
    all,
  }: ReplayCommandOptions & { readonly folder: string },
): SubjectToJudge {
  const reader = wire === undefined ? `--adapter ${adapter}` : `--wire ${wire}`;
  return {
    name: subject.name ?? subject.wire.name,
    wire: subject.wire.name,
    command: `npx fullstop conformance replay ${folder} ${reader}`,
    verdicts: ({ only, signal }) => verdicts({ only, exhaustive, sample, all, signal }),
  };
}
