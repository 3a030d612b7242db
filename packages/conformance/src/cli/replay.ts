import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Command, Option } from "commander";
import type { RecordedTurn } from "../fixtures/turn.ts";
import { builtinSubject, type WireName } from "../replay/builtin.ts";
import { replayClauses } from "../replay/clauses.ts";
import { readRecordings } from "../replay/folder.ts";
import { type Replay, replay } from "../replay/replay.ts";
import type { AdapterSubject } from "../subject.ts";
import { wires } from "../wires/index.ts";
import { load } from "./adapter.ts";
import { Unable } from "./exit.ts";
import { type Asked, carryOut, count, type VerdictOptions, verdictCommand } from "./verdicts.ts";

interface Given extends Omit<VerdictOptions, "clauses"> {
  readonly wire?: WireName;
  readonly adapter?: string;
  readonly exhaustive?: true;
  readonly sample?: number;
  readonly write?: true;
}

const help = `
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
  verdictCommand("replay", replayClauses)
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
    .option("--sample <n>", "try at most so many places of each recording", count)
    .option(
      "--write",
      "keep each turn as NAME.turn.json where there is none: read it before you trust it",
    )
    .addHelpText("after", help)
    .action(async (folder: string, given: Given) => {
      const prepare = async (): Promise<readonly Asked[]> => {
        const replays = await attempt(async () => {
          const subjects = await subjectsOf(given);
          return Promise.all(
            subjects.map(async (subject) => {
              const { recordings, others } = await readRecordings(folder, subject.wire);
              for (const file of others)
                process.stderr.write(
                  `Left alone: ${file} does not look like a reply of ${subject.wire.name}.\n`,
                );
              return { subject, replayed: await replay(subject, recordings) };
            }),
          );
        });
        for (const { subject, replayed } of replays) show(subject, replayed, given);
        if (given.write && replays[0] !== undefined) await keep(folder, replays[0].replayed);
        return replays.map(({ subject, replayed }) => ask(subject, replayed, { folder, ...given }));
      };
      process.exitCode = await carryOut(prepare, { ...given, clauses: replayClauses });
    });

async function attempt<Done>(work: () => Promise<Done>): Promise<Done> {
  try {
    return await work();
  } catch (thrown) {
    throw new Unable(thrown instanceof Error ? thrown.message : String(thrown));
  }
}

async function subjectsOf({ wire, adapter }: Given): Promise<readonly AdapterSubject[]> {
  if (wire !== undefined) return [await builtinSubject(wire, process.cwd())];
  if (adapter === undefined)
    throw new Error(
      `Which adapter reads them? --wire ${Object.keys(wires).join(" | ")}, or --adapter <module>.`,
    );
  const adapters = (await load(adapter)).filter((subject) => "adapter" in subject);
  if (adapters.length === 0)
    throw new Error(`${adapter}: its default export is no subject with an adapter.`);
  return adapters;
}

/** Prints the turns where standard output is for people. */
function show(subject: AdapterSubject, { replayed }: Replay, { reporter, output }: Given): void {
  if (reporter !== "terminal" && output === undefined) return;
  for (const { recording, turn } of replayed)
    process.stdout.write(
      `${recording.file}, read by ${subject.name ?? subject.wire.name}\n${printed(turn)}\n`,
    );
}

const printed = (turn: RecordedTurn): string => `${JSON.stringify(turn, null, 2)}\n`;

/** Keeps the turns that are not known yet. A reply that was recorded twice, streamed and whole, has one turn. */
async function keep(folder: string, { replayed }: Replay): Promise<void> {
  const unknown = new Map(
    replayed
      .filter(({ recording }) => !recording.expected)
      .map((one) => [join(folder, one.recording.turnFile), one.turn]),
  );
  for (const [path, turn] of unknown) {
    await writeFile(path, printed(turn), { flag: "wx" });
    process.stderr.write(`Written: ${path}\n`);
  }
}

function ask(
  subject: AdapterSubject,
  { verdicts }: Replay,
  { folder, wire, adapter, exhaustive, sample, all }: Given & { readonly folder: string },
): Asked {
  const by = wire === undefined ? `--adapter ${adapter}` : `--wire ${wire}`;
  return {
    name: subject.name ?? subject.wire.name,
    wire: subject.wire.name,
    command: `npx @fullstop/conformance replay ${folder} ${by}`,
    verdicts: ({ only, signal }) => verdicts({ only, exhaustive, sample, all, signal }),
  };
}
