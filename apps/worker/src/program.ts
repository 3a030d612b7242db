import { Command, InvalidArgumentError, Option } from "commander";
import { answerCall, type CallAnswer } from "./answer-call.ts";
import { listRuns } from "./list-runs.ts";
import { type CommonOptions, engineNames, withSetup } from "./setup.ts";
import { startRun } from "./start-run.ts";
import type { WorkerOptions } from "./worker.ts";

const help = `
A run is an agent with a name that you choose. It has its steps in the database, so
any worker can continue it: after a deployment, after a crash, or days later when a
person has decided about a call.

Try it (see README.md for the database):
  worker worker                    take runs; start as many as you like
  worker start page-1              put a run into the queue
  worker runs                      see that it waits for you, and for what
  worker approve page-1 <call>     let it go on, on any worker

Signals of \`worker worker\`:
  SIGTERM, SIGINT  the worker gives its runs back and ends; another one continues them

Exit codes:
  0  done; also a worker that a signal ended
  1  the database cannot be used, or the run does not wait for this answer
  2  wrong usage
`;

/** The command line. */
export function createProgram(): Command {
  const program = new Command("worker")
    .description("Worker processes that take agent runs from one queue.")
    .addHelpText("after", help)
    .showHelpAfterError("(see: worker --help)")
    .exitOverride();
  for (const option of commonOptions()) program.addOption(option);
  addWorker(program);
  addQueue(program);
  addAnswers(program);
  return program;
}

const commonOptions = (): readonly Option[] => [
  new Option("--engine <name>", "what holds the queue")
    .env("ENGINE")
    .choices(engineNames)
    .default("dbos"),
  new Option("--database <url>", "PostgreSQL, for the steps of the runs, and for DBOS")
    .env("DATABASE_URL")
    .default("postgres://postgres@127.0.0.1:5432/postgres"),
  new Option("--lease-seconds <n>", "the run of a dead worker is free after this time")
    .env("LEASE_SECONDS")
    .argParser(parsePositive)
    .default(30),
  new Option("--poll-seconds <n>", "time between two looks of DBOS at the queue")
    .env("POLL_SECONDS")
    .argParser(parsePositive)
    .default(1),
  new Option("--restate-ingress <url>", "where Restate takes invocations")
    .env("RESTATE_INGRESS")
    .default("http://127.0.0.1:8080"),
  new Option("--restate-admin <url>", "where Restate takes deployments")
    .env("RESTATE_ADMIN")
    .default("http://127.0.0.1:9070"),
  new Option("--restate-workers <url>", "where Restate finds the workers: one address for all")
    .env("RESTATE_WORKERS")
    .default("http://127.0.0.1:9080"),
  new Option("--restate-host <address>", "the network that a worker listens on for Restate")
    .env("RESTATE_HOST")
    .default("127.0.0.1"),
];

function addWorker(program: Command): void {
  program
    .command("worker")
    .description("takes runs from the queue until SIGTERM; logs one JSON object a line")
    .addOption(
      new Option("--concurrency <n>", "runs at the same time")
        .env("CONCURRENCY")
        .argParser(parsePositive)
        .default(4),
    )
    .addOption(
      new Option("--site <folder>", "drafts and published pages, shared by all workers")
        .env("SITE")
        .default("site"),
    )
    .addOption(
      new Option("--model <url>", "Anthropic's API. Default: a server that plays the model").env(
        "MODEL_URL",
      ),
    )
    .addOption(
      new Option("--upload-seconds <n>", "makes `publish` slow before its effect")
        .env("UPLOAD_SECONDS")
        .argParser(parseSeconds)
        .default(0),
    )
    .addOption(
      new Option("--announce-seconds <n>", "makes `publish` slow after its effect")
        .env("ANNOUNCE_SECONDS")
        .argParser(parseSeconds)
        .default(0),
    )
    .action((own: WorkerOptions) =>
      inSetup(program, async (setup) => {
        const { runWorker } = await import("./worker.ts"); // the other commands need no model
        await runWorker(own, setup);
      }),
    );
}

function addQueue(program: Command): void {
  program
    .command("start")
    .description("puts a run into the queue; a run that was interrupted continues")
    .argument("<run>", "letters, digits, - and _; names the run", parseRunId)
    .action((runId: string) => inSetup(program, (setup) => startRun(runId, setup)));
  program
    .command("runs")
    .description("lists the runs, and the calls that wait for a person")
    .option("--json", "one JSON object a line")
    .action(({ json }: { readonly json?: true }) =>
      inSetup(program, (setup) => listRuns(json ? "json" : "text", setup)),
    );
}

function addAnswers(program: Command): void {
  const answer = (runId: string, callId: string, given: CallAnswer): Promise<void> =>
    inSetup(program, (setup) => answerCall({ runId, callId, given }, setup));
  program
    .command("approve")
    .description("lets a call run, with the input that `runs` shows")
    .argument("<run>")
    .argument("<call>")
    .action((runId: string, callId: string) => answer(runId, callId, { kind: "approve" }));
  program
    .command("deny")
    .description("does not let a call run; the model gets the reason")
    .argument("<run>")
    .argument("<call>")
    .argument("[reason]")
    .action((runId: string, callId: string, reason?: string) =>
      answer(runId, callId, { kind: "deny", reason }),
    );
  program
    .command("settle")
    .description("says what became of a call that had started when its worker was stopped")
    .argument("<run>")
    .argument("<call>")
    .addOption(
      new Option("--happened <text>", "it happened, and this is its result").conflicts([
        "didNotHappen",
        "unknown",
      ]),
    )
    .addOption(new Option("--did-not-happen", "it runs now").conflicts("unknown"))
    .option("--unknown", "the model gets a note to check")
    .action((runId: string, callId: string, flags: SettleFlags, command: Command) =>
      answer(runId, callId, { kind: "settle", settlement: settlementOf(flags, command) }),
    );
}

interface SettleFlags {
  readonly happened?: string;
  readonly didNotHappen?: true;
  readonly unknown?: true;
}
function settlementOf(
  { happened, didNotHappen, unknown }: SettleFlags,
  command: Command,
): Extract<CallAnswer, { readonly kind: "settle" }>["settlement"] {
  if (happened !== undefined) return { result: happened };
  if (didNotHappen) return "did-not-happen";
  if (unknown) return "unknown";
  return command.error(
    "error: say what became of the call: --happened <text>, --did-not-happen or --unknown",
  );
}

const inSetup = (program: Command, use: Parameters<typeof withSetup<void>>[1]): Promise<void> =>
  withSetup(program.opts<CommonOptions>(), use);

function parsePositive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError("It must be a number above 0.");
  return value;
}

function parseSeconds(text: string): number {
  const value = Number(text);
  if (!(value >= 0)) throw new InvalidArgumentError("It must be 0 or a number above it.");
  return value;
}

/** The name is also that of a folder. */
function parseRunId(text: string): string {
  if (!/^[\w-]{1,64}$/.test(text))
    throw new InvalidArgumentError("It must be 1 to 64 letters, digits, - or _.");
  return text;
}
