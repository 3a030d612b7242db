import { RecordingError, readRecording, viewRecording } from "@fullstop/inspect/view";
import { Command, InvalidArgumentError, Option } from "commander";
import { readInput, UsageError } from "../files.ts";
import { printable } from "../printable.ts";
import { writeJsonLines } from "./json.ts";
import { serveLive } from "./live.ts";
import { type ReadFile, writePage } from "./page.ts";
import { saveReply } from "./save.ts";
import { describeRecording } from "./summary.ts";

interface InspectFlags {
  readonly output?: string;
  readonly open?: true;
  readonly text?: true;
  readonly json?: true;
  readonly live?: true;
  readonly port?: number;
  readonly untilEnd?: true;
  readonly save?: string;
  readonly dir?: string;
  readonly expected?: "call" | "withheld";
}

const inspectHelp = `
What is read:
  A recording: a file that record() of @fullstop/inspect wrote while an agent ran,
  run({ …, onEvent: record("run.jsonl") }). "fullstop demo --record run.jsonl" makes
  one without a key. "-" is standard input. A recording may be incomplete, because
  its run goes on or its process was killed: then a note names the line, and the
  rest is shown.

What is shown:
  One HTML file that needs no server and loads nothing: per reply what arrived and
  when, each rule of the gate, withheld inputs beside what a repair would have run,
  what the loop did next and what it cost; per run the calls, attempts, approvals
  and doubts. With --text the same in short, in the terminal.

With --live:
  A server on 127.0.0.1 shows the same page while the recording is written. The
  file may not exist yet, and may be replaced by another one. The address that is
  printed has a secret: only a reader who knows it gets the page. Ctrl-C ends the
  server; with --until-end it also ends when a run has ended and no other one is
  under way. A page that is open keeps what it has.

With --save:
  A reply becomes files of the conformance corpus: the events as they arrived, the
  turn that they must give, and a test with vitest. Its id is in the page, in --text
  and in --json. If the gate was wrong about its calls, --expected says what is
  right, and the test fails until the defect is mended. Files that exist stay.

Lines of --json (one object each, named by "type"):
  run        runId, path, startedAt, endedAt, status, summary, totals
  reply      runId, path, turn, id, from, attempt, cap, replayed, kept, stopReason,
             native, usage, rule (the one that failed), recovery, recoveryCost,
             withheld[]: name, id, bytes, reason, detail
  call       runId, path, turn, id, key, name, state, startedAt, endedAt
  note       note: what cannot be read in the file

Exit codes:
  0    done
  2    wrong usage, a file that is not a recording, or an output that cannot be written
  130  interrupted (--live)

Environment:
  NO_COLOR, FORCE_COLOR    without and with colours
  BROWSER                  the browser of --open, on systems with xdg-open

Examples:
  fullstop demo --record run.jsonl && fullstop inspect run.jsonl --open
  fullstop inspect run.jsonl -o report.html
  fullstop inspect run.jsonl --text
  fullstop inspect run.jsonl --json | jq -c 'select(.type == "reply") | .withheld[]'
  fullstop inspect --live run.jsonl --open
  fullstop inspect run.jsonl --save run-1-turn-1-reply-1 --dir fixtures --expected withheld
`;

const otherModes: Readonly<Record<"text" | "json" | "live" | "save", readonly string[]>> = {
  text: ["json", "live", "save", "output", "open"],
  json: ["live", "save", "output", "open"],
  live: ["save", "output"],
  save: ["output", "open"],
};

export const inspectCommand = (): Command =>
  new Command("inspect")
    .description(
      "Show a recorded run: what arrived, what the gate decided and why, and what the loop did next.\nNeeds no key and no network.",
    )
    .argument("<recording>", "the file that was recorded; - is standard input")
    .option("-o, --output <file>", "where the page is written (default: beside the recording)")
    .option("--open", "open the page in the browser")
    .addOption(new Option("--text", "print a summary").conflicts([...otherModes.text]))
    .addOption(new Option("--json", "print JSON lines").conflicts([...otherModes.json]))
    .addOption(
      new Option("--live", "serve the page while the run is recorded").conflicts([
        ...otherModes.live,
      ]),
    )
    .option("--port <port>", "the port of --live (default: a free one)", parsePort)
    .option("--until-end", "end --live when the run has ended")
    .addOption(
      new Option("--save <reply>", "save a reply as a fixture").conflicts([...otherModes.save]),
    )
    .option("--dir <folder>", "the folder of --save (default: the current one)")
    .addOption(
      new Option("--expected <verdict>", "what should have become of the calls of --save").choices([
        "call",
        "withheld",
      ]),
    )
    .addHelpText("after", inspectHelp)
    .action(async (file: string, flags: InspectFlags) => {
      process.exitCode = await runInspect(file, flags);
    });

function parsePort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError("Expected a number from 0 to 65535.");
}

async function runInspect(file: string, flags: InspectFlags): Promise<number> {
  try {
    assertFlags(flags);
    if (flags.live) return await serveLive(file, flags);
    return await showFile(await readFile(file), flags);
  } catch (thrown) {
    const isExpected = thrown instanceof RecordingError || thrown instanceof UsageError;
    if (!isExpected) throw thrown;
    const place = thrown instanceof RecordingError ? `${file}: ` : "";
    process.stderr.write(`fullstop inspect: ${place}${thrown.message}\n`);
    return 2;
  }
}

function assertFlags({ live, port, untilEnd, save, dir, expected }: InspectFlags): void {
  if ((port !== undefined || untilEnd) && !live)
    throw new UsageError("--port and --until-end need --live.");
  if ((dir !== undefined || expected !== undefined) && save === undefined)
    throw new UsageError("--dir and --expected need --save.");
}

async function readFile(file: string): Promise<ReadFile> {
  const text = await readInput(file);
  return { file, text, recording: readRecording(text) };
}

async function showFile(read: ReadFile, flags: InspectFlags): Promise<number> {
  const view = viewRecording(read.recording);
  if (flags.json) {
    writeJsonLines(view, process.stdout);
    return 0;
  }
  if (flags.text) describeRecording(view, process.stdout);
  else if (flags.save !== undefined) await saveReply(view, { ...flags, reply: flags.save });
  else await writePage(read, flags);
  for (const flaw of view.flaws)
    process.stderr.write(`fullstop inspect: ${read.file}: ${printable(flaw)}\n`);
  return 0;
}
