import { writeFile } from "node:fs/promises";
import type { AdapterSubject } from "@fullstop/conformance";
import {
  builtinSubject,
  findIn,
  type RecordedTurn,
  type Replay,
  replay,
  replayClauses,
  type WireName,
} from "@fullstop/conformance/replay";
import { wires } from "@fullstop/conformance/wires";
import { type Command, Option } from "commander";
import { loadSubjects } from "./adapter.ts";
import { CommandError } from "./exit.ts";
import { type JudgedSubject, judgeAndReport, parseCount, type JudgeCommandOptions, createJudgeCommand } from "./verdicts.ts";

interface ReplayCommandOptions extends Omit<JudgeCommandOptions, "clauses"> {
  readonly wire?: WireName;
  readonly adapter?: string;
  readonly exhaustive?: true;
  readonly sample?: number;
  readonly write?: true;
}

const replayHelp = `
A recording is a file:
  NAME.sse        a reply as received
  NAME.jsonl      one JSON payload per line
  NAME.json       the body of a reply that does not stream; other JSON is left alone
  NAME.turn.json  beside it: the turn that it must read as, where that is known

Each is read and printed as a turn, unless standard output is a report for a program. Then it is cut,
chunked, written down in other ways and sent with strange events in it: what is cut may run nothing,
and the rest must read the same.

Where a recorded reply ends, the wire says: an adapter that runs cut replies would find their end anywhere.

A long recording takes its time: --only asks one clause or family, --sample 50 tries fewer places.

Examples:
  conformance replay ./recordings --wire anthropic
  conformance replay ./recordings --adapter ./my-adapter.js --write
`;

/** `conformance replay`: the suite on recorded replies. */
export const replayCommand = (): Command =>
  createJudgeCommand("replay", replayClauses)
    .summary("ask the suite's clauses of replies that you recorded")
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
    .option("--exhaustive", "cut at every byte, instead of where readers break")
    .option("--sample <n>", "try at most so many places of each recording", parseCount)
    .option(
      "--write",
      "keep each turn as NAME.turn.json where there is none: read it before you trust it",
    )
    .addHelpText("after", replayHelp)
    .action(async (folder: string, given: ReplayCommandOptions) => {
      const prepare = async (): Promise<readonly JudgedSubject[]> => {
        const replays = await asCommandError(async () => {
          const subjects = await loadAdapters(given);
          return Promise.all(
            subjects.map(async (subject) => {
              const { recordings, others } = await findIn(folder, subject.wire);
              for (const file of others)
                process.stderr.write(
                  `Left alone: ${file} does not look like a reply of ${subject.wire.name}.\n`,
                );
              return { subject, replayed: await replay(subject, recordings) };
            }),
          );
        });
        for (const { subject, replayed } of replays) printTurns(subject, replayed, given);
        if (given.write && replays[0] !== undefined) await writeTurns(replays[0].replayed);
        return replays.map(({ subject, replayed }) => toJudgedReplay(subject, replayed, { folder, ...given }));
      };
      process.exitCode = await judgeAndReport(prepare, { ...given, clauses: replayClauses });
    });

async function asCommandError<Done>(work: () => Promise<Done>): Promise<Done> {
  try {
    return await work();
  } catch (thrown) {
    throw new CommandError(thrown instanceof Error ? thrown.message : String(thrown));
  }
}

async function loadAdapters({ wire, adapter }: ReplayCommandOptions): Promise<readonly AdapterSubject[]> {
  if (wire !== undefined) return [await builtinSubject(wire, process.cwd())];
  if (adapter === undefined)
    throw new Error(
      `Which adapter reads them? --wire ${Object.keys(wires).join(" | ")}, or --adapter <module>.`,
    );
  const adapters = (await loadSubjects(adapter)).filter((subject) => "adapter" in subject);
  if (adapters.length === 0)
    throw new Error(`${adapter}: its default export is no subject with an adapter.`);
  return adapters;
}

/** Prints the turns where standard output is for people. */
function printTurns(subject: AdapterSubject, { replayed }: Replay, { reporter, output }: ReplayCommandOptions): void {
  if (reporter !== "terminal" && output === undefined) return;
  for (const { recording, turn } of replayed)
    process.stdout.write(
      `${recording.file}, read by ${subject.name ?? subject.wire.name}\n${formatTurn(turn)}\n`,
    );
}

const formatTurn = (turn: RecordedTurn): string => `${JSON.stringify(turn, null, 2)}\n`;

/** Keeps the turns that are not known yet. A reply that was recorded twice, streamed and whole, has one turn. */
async function writeTurns({ replayed }: Replay): Promise<void> {
  const unknown = new Map(
    replayed
      .filter(({ recording }) => !recording.expected)
      .map((one) => [one.recording.turnPath, one.turn]),
  );
  for (const [path, turn] of unknown) {
    await writeFile(path, formatTurn(turn), { flag: "wx" });
    process.stderr.write(`Written: ${path}\n`);
  }
}

function toJudgedReplay(
  subject: AdapterSubject,
  { verdicts }: Replay,
  { folder, wire, adapter, exhaustive, sample, all }: ReplayCommandOptions & { readonly folder: string },
): JudgedSubject {
  const by = wire === undefined ? `--adapter ${adapter}` : `--wire ${wire}`;
  return {
    name: subject.name ?? subject.wire.name,
    wire: subject.wire.name,
    command: `npx @fullstop/conformance-cli replay ${folder} ${by}`,
    verdicts: ({ only, signal }) => verdicts({ only, exhaustive, sample, all, signal }),
  };
}
