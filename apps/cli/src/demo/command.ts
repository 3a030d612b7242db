import { setTimeout as sleep } from "node:timers/promises";
import { Command, Option } from "commander";
import { interruptible } from "../interruptible.ts";
import { playDemo } from "./demo.ts";
import { type ProviderName, providerNames, providers } from "./providers.ts";
import { type DemoRecording, openRecording } from "./recording.ts";
import { renderJson, renderTerminal } from "./render.ts";
import { beginScreen } from "./terminal.ts";

/** How many characters of a reply arrive in a second. */
const paces = { fast: Number.POSITIVE_INFINITY, watch: 16_000, slow: 4_000 } as const;
type Pace = keyof typeof paces;

interface DemoFlags {
  readonly provider: ProviderName;
  readonly all?: true;
  readonly guarded?: true;
  readonly json?: true;
  readonly keep?: true;
  readonly pace?: Pace;
  readonly record?: string;
}

const providerList = providerNames.map((name) => `  ${name.padEnd(18)} ${providers[name].about}`);

const demoHelp = `
Providers:
${providerList.join("\n")}

What happens:
  An agent builds a small web page in a temporary folder, with four file tools
  that cannot leave this folder. It sends its requests over HTTP to a server in
  this process, which speaks the protocol of the provider and plays the model.
  The server cuts one reply at the output cap, drops the connection in another,
  filters a third after a complete input, and reports a fourth as finished
  although it was cut. None of these inputs may run. One more reply is dropped
  twice: then the tool itself completes the input from what arrived, and the loop
  reports this to the model.

What is checked, without asking the loop:
  the files on the disk, the executions that the tools recorded, and the
  requests that the server got.

Lines of --json (one object each, named by "type"):
  start                    folder, provider, adapter, url, replies
  prompt                   text: what the person asks for; a run begins
  request                  reply, cap, messages, and problems: how the request
                           differs from the expected one;
                           story: what happens to the reply
  text, thinking, tool-input-start, tool-input-delta, tool-input-end
                           previews of a reply; nothing in them can be run
  turn                     reply, cap, kept, person, and turn: the verdict of
                           the gate with turn.calls and turn.withheld[].reason
  tool-call, tool-result   call, result: a call that the gate permits
  recovery                 action, stopReason: what the loop does about a reply
  outcome                  status, summary, text: how a run ended
  file                     path, content: a file on the disk at the end
  verdict                  ok, replies, ran, heldBack, checks[].findings, seconds
  end                      folder, kept

With --record:
  The runs are recorded with @fullstop/inspect: each request, what arrived of each
  reply, and the verdict of the gate. "fullstop inspect FILE" shows them. A
  recording that exists goes on; another file is not touched.

With --guarded:
  An agent as many are written meets such replies twice: first as it is, then
  with "fetch: guard()" of @fullstop/guard. Lines of --json: scene (title,
  prompt), result (guarded, isSafe, text, end, requests), verdict (ok, harmed).

Exit codes:
  0    only permitted calls ran, and the task is finished
  1    something is broken, and the lines with "✖" say what; or the reader of the
       output left early
  2    wrong usage, or a file that --record cannot write
  130  interrupted; the server is closed and the folder is removed

Environment:
  NO_COLOR, FORCE_COLOR    without and with colours
  COLUMNS                  the width, if the output is not a terminal

Examples:
  fullstop demo
  fullstop demo --all
  fullstop demo --provider google
  fullstop demo --pace slow
  fullstop demo --keep
  fullstop demo --guarded
  fullstop demo --record run.jsonl && fullstop inspect run.jsonl --open
  fullstop demo --json | jq -c 'select(.type == "verdict") | .heldBack[]'
`;

export const demoCommand = (): Command =>
  new Command("demo")
    .description(
      "Watch an agent while its replies are cut, dropped, filtered and relabelled.\nNeeds no key, no account and no network.",
    )
    .addOption(
      new Option("--provider <provider>", "the adapter and the SDK to use")
        .choices(providerNames)
        .default("anthropic"),
    )
    .option("--all", "show every reply, and the files at the end")
    .option("--guarded", "run a naive agent without and with the guard, instead of the loop")
    .option("--record <file>", "record the runs in a file, for fullstop inspect")
    .option("--json", "print the events as JSON lines")
    .option("--keep", "keep the folder with the files, and print its path")
    .addOption(
      new Option(
        "--pace <pace>",
        "how fast the replies arrive (default: watch in a terminal, else fast)",
      ).choices(Object.keys(paces)),
    )
    .addHelpText("after", demoHelp)
    .action(async (flags: DemoFlags) => {
      process.exitCode = await runDemo(flags);
    });

async function runDemo(flags: DemoFlags): Promise<number> {
  const { record, guarded } = flags;
  if (guarded && record !== undefined)
    return refuse("--record needs the loop. Leave out --guarded.");
  const recording = record === undefined ? undefined : openRecording(record);
  const problem = recording?.problem();
  if (problem !== undefined) return refuse(problem);
  // The server is in this process: a proxy cannot reach it.
  for (const name of ["NO_PROXY", "no_proxy"]) process.env[name] = "127.0.0.1";
  const play = async (stop: AbortController): Promise<number> => {
    // The reader may leave early (`| head`): then the rest is not needed.
    process.stdout.on("error", () => stop.abort());
    if (!flags.json) beginScreen(process.stdout);
    const isOk = await (flags.guarded ? playWithGuard : playLoop)(flags, stop.signal, recording);
    await recording?.close(flags.json ? process.stderr : process.stdout);
    return isOk ? 0 : 1;
  };
  return interruptible(play, (signal) => {
    const folder = flags.keep ? "" : " and the folder is removed";
    process.stderr.write(`\nInterrupted by ${signal}. The server is closed${folder}.\n`);
  });
}

function refuse(problem: string): number {
  process.stderr.write(`fullstop demo: ${problem}\n`);
  return 2;
}

const printJson = renderJson((line) => process.stdout.write(line));

/** The loop does not need the guard and its agent, and they not the loop. */
async function playWithGuard({ json }: DemoFlags, signal: AbortSignal): Promise<boolean> {
  const { playGuarded } = await import("../guarded/play.ts");
  const { renderGuarded } = await import("../guarded/render.ts");
  try {
    return await playGuarded({ onEvent: json ? printJson : renderGuarded(process.stdout), signal });
  } catch (thrown) {
    if (signal.aborted) return false;
    throw thrown;
  }
}

async function playLoop(
  {
    provider,
    all,
    json,
    keep,
    pace = process.stdout.isTTY && !json && !process.env["CI"] ? "watch" : "fast",
  }: DemoFlags,
  signal: AbortSignal,
  recording: DemoRecording | undefined,
): Promise<boolean> {
  const verdict = await playDemo({
    provider,
    recorder: recording?.recorder,
    onEvent: json ? printJson : renderTerminal(process.stdout, { all: all === true }),
    signal,
    fetch: createPacedFetch(paces[pace]),
    keep,
  });
  return verdict?.ok === true;
}

/** A `fetch` whose bodies arrive slowly, and then end or fail as the real ones did. */
function createPacedFetch(charactersPerSecond: number): typeof globalThis.fetch | undefined {
  if (!Number.isFinite(charactersPerSecond)) return undefined;
  return async (input, init) => {
    const response = await fetch(input, init);
    const signal = init?.signal ?? undefined;
    const body = response.body && toStream(paceBody(response.body, charactersPerSecond, signal));
    return new Response(body, response);
  };
}

function toStream<T>(iterator: AsyncGenerator<T>): ReadableStream<T> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return(undefined);
    },
  });
}

const tickMs = 25;

async function* paceBody(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  charactersPerSecond: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const bytesPerTick = Math.ceil((charactersPerSecond * tickMs) / 1000);
  const { bytes, failure } = await readAll(body);
  for (let at = 0; at < bytes.length; at += bytesPerTick) {
    await sleep(tickMs, undefined, { signal });
    yield bytes.subarray(at, at + bytesPerTick);
  }
  if (failure !== undefined) throw failure.cause;
}

/** What arrived of a body, and the failure that ended it. */
async function readAll(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<{
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly failure?: { readonly cause: unknown };
}> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let failure: { readonly cause: unknown } | undefined;
  try {
    for await (const chunk of body) chunks.push(chunk);
  } catch (cause) {
    failure = { cause };
  }
  const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer());
  return { bytes, ...(failure && { failure }) };
}
