import { postgresJournal } from "@fullstop/journal-postgres";
import { MissingServiceError, startPostgres } from "@tooling/test/services";
import pg from "pg";
import { type Contender, callingContender } from "./contenders.ts";
import { type JournalMaker, journalMakers } from "./journals.ts";
import { median } from "./measure.ts";
import { apiKey } from "./wire.ts";
import { wires } from "./wires/index.ts";
import { workloads } from "./workloads.ts";

/** The times of one journal, in milliseconds: the medians of all turns. */
interface JournalTimes {
  readonly name: string;
  /** From the start of a run of one turn with one call to its outcome. */
  readonly turnMs: number;
  /** The CPU time of this process for it. */
  readonly cpuMs: number;
  readonly beginMs?: number;
  /** The end of a step of 64 KiB. */
  readonly endMs?: number;
}
export interface JournalReport {
  readonly times: readonly JournalTimes[];
  /** Why a journal is missing. */
  readonly missing?: string;
}

const measuredTurns = 40;
const warmUpTurns = 20;
const workloadName = "64k";

/** `url` is the server of the bench. */
export async function measureJournals(url: string): Promise<JournalReport> {
  const makers = { file: journalMakers.file(), sqlite: journalMakers.sqlite() };
  const server = await startPostgres().catch((thrown: unknown) => {
    if (thrown instanceof MissingServiceError) return thrown;
    throw thrown;
  });
  if (server instanceof MissingServiceError)
    return { times: await measureEach(url, makers), missing: server.message };
  const pool = new pg.Pool({ connectionString: server.url });
  try {
    const store = postgresJournal(pool);
    return { times: await measureEach(url, { ...makers, postgres: () => store }) };
  } finally {
    await pool.end();
    await server.stop();
  }
}

async function measureEach(
  url: string,
  makers: Readonly<Record<string, JournalMaker>>,
): Promise<readonly JournalTimes[]> {
  const messages = workloads.find(({ name }) => name === workloadName)?.messages ?? [];
  const baseURL = `${url}/anthropic/${workloadName}`;
  const adapter = wires.anthropic.adapter({ baseURL, apiKey });
  const turns = Object.entries<JournalMaker | undefined>({ none: undefined, ...makers }).map(
    ([name, makeJournal]) => ({
      name,
      makeJournal,
      turn: callingContender(adapter, messages, makeJournal),
      samples: [] as TurnSample[],
    }),
  );
  for (let round = -warmUpTurns; round < measuredTurns; round++)
    for (const { turn, samples } of turns) {
      const sample = await sampleTurn(turn);
      if (round >= 0) samples.push(sample);
    }
  const times: JournalTimes[] = [];
  for (const { name, makeJournal, samples } of turns)
    times.push({
      name,
      turnMs: median(samples.map(({ turnMs }) => turnMs)),
      cpuMs: median(samples.map(({ cpuMs }) => cpuMs)),
      ...(makeJournal && (await measureSteps(makeJournal))),
    });
  return times;
}

type TurnSample = Pick<JournalTimes, "turnMs" | "cpuMs">;
async function sampleTurn(turn: Contender): Promise<TurnSample> {
  const before = process.cpuUsage();
  const turnMs = await timeOf(turn);
  const { user, system } = process.cpuUsage(before);
  return { turnMs, cpuMs: (user + system) / 1000 };
}

async function measureSteps(
  makeJournal: JournalMaker,
): Promise<Pick<Required<JournalTimes>, "beginMs" | "endMs">> {
  const json = JSON.stringify("x".repeat(64 * 1024));
  const runId = crypto.randomUUID();
  const lease = await makeJournal(runId).open(runId);
  const begins: number[] = [];
  const ends: number[] = [];
  for (let turn = 1; turn <= measuredTurns; turn++) {
    const step = { key: `${runId}/${turn}/1`, kind: "tool" } as const;
    begins.push(await timeOf(() => lease.begin(step)));
    ends.push(await timeOf(() => lease.end(step, json)));
  }
  await lease.close({ status: "done" });
  return { beginMs: median(begins), endMs: median(ends) };
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await work();
  return performance.now() - since;
}

/** The times of each journal, and its CPU time in multiples of that without a journal. */
export function formatJournals({ times, missing }: JournalReport): string {
  const [none] = times;
  const cell = (ms: number | undefined): string => (ms?.toFixed(2) ?? "").padStart(9);
  const lines = times.map(({ name, turnMs, cpuMs, beginMs, endMs }) => {
    const ratio = `${(cpuMs / (none?.cpuMs ?? Number.NaN)).toFixed(2)}×`.padStart(9);
    return [name.padEnd(9), cell(turnMs), cell(cpuMs), ratio, cell(beginMs), cell(endMs)].join("");
  });
  const names = ["turn", "CPU", "to none", "begin", "end"].map((name) => name.padStart(9));
  return [
    "Milliseconds, medians: a turn of 64 KiB with one call, the CPU time of this process for it, the beginning of a step, and its end with 64 KiB.",
    `${"".padEnd(9)}${names.join("")}`,
    ...lines,
    ...(missing === undefined ? [] : [`PostgreSQL was not measured. ${missing}`]),
    "",
  ].join("\n");
}
