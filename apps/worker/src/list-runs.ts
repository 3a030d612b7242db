import type { ReviewedCall } from "@fullstop/loop";
import type { RunStatus } from "@fullstop/loop/journal";
import { readRuns } from "./find-run.ts";
import type { Setup } from "./setup.ts";

/** A run as `runs` prints it. */
interface ListedRun {
  readonly run: string;
  /** `queued`: no worker has taken it yet. */
  readonly status: RunStatus | "queued";
  /** It stopped, waits, or is running since then. */
  readonly since?: string;
  readonly calls?: readonly ReviewedCall[];
  /** It is in the queue again: with an answer, or because its worker ended. */
  readonly queued?: true;
}

/** Prints all runs, the oldest first, and then those that no worker has taken yet. */
export async function listRuns(format: "json" | "text", setup: Setup): Promise<void> {
  const runs = await readList(setup);
  const print = format === "json" ? JSON.stringify : describe;
  for (const listed of runs) process.stdout.write(`${print(listed)}\n`);
  if (runs.length === 0 && format === "text")
    process.stdout.write("No run has started yet. `start <run>` starts one.\n");
}

async function readList({ journal, engine }: Setup): Promise<readonly ListedRun[]> {
  const queued = new Set(await engine.listQueued());
  const listed: ListedRun[] = [];
  for await (const { runId, status, updatedAt, calls } of readRuns(journal))
    listed.push({
      run: runId,
      status,
      since: updatedAt.toISOString(),
      ...(calls && { calls }),
      ...(queued.delete(runId) && { queued: true }),
    });
  for (const run of queued) listed.push({ run, status: "queued" });
  return listed;
}

function describe({ run, status, since, calls = [], queued }: ListedRun): string {
  const time = since === undefined ? "" : ` for ${durationSince(since)}`;
  const note = queued && status !== "queued" ? ", in the queue" : "";
  return [`${run}  ${status}${time}${note}`, ...calls.map((call) => describeCall(run, call))].join(
    "\n",
  );
}

/** How this process was started: a clone has no command `worker`. */
const ownCommand = process.env["npm_lifecycle_event"] === "start" ? "pnpm start" : "worker";

/** The commands that answer a call, by what it needs. */
const commands: Readonly<Record<ReviewedCall["needs"], readonly string[]>> = {
  decision: ["approve RUN CALL", "deny RUN CALL [reason]"],
  settlement: ["settle RUN CALL --happened <text>", "settle RUN CALL --did-not-happen"],
  result: [],
  input: [],
};

/** A doubt is settled by what the service of the tool knows under this key. */
const keyOf = ({ needs, idempotencyKey }: ReviewedCall): string =>
  needs === "settlement" && idempotencyKey !== undefined
    ? ` (its idempotency key is ${idempotencyKey})`
    : "";

function describeCall(run: string, call: ReviewedCall): string {
  const { id, name, input, needs } = call;
  const lines = commands[needs].map((command) => command.replace("RUN", run).replace("CALL", id));
  const what = `  ${name} ${JSON.stringify(input)} needs a ${needs}${keyOf(call)}:`;
  return [what, ...lines].join(`\n    ${ownCommand} `);
}

function durationSince(time: string): string {
  const minutes = Math.floor(Math.max(0, Date.now() - Date.parse(time)) / 60_000);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}
