import type { Recording } from "../fixtures/recordings.ts";
import { createHarness } from "../harness/harness.ts";
import { type Host, inProcess } from "../harness/host.ts";
import { type JudgeOptions, judgeClause, type Verdict } from "../judge.ts";
import { selectClauses } from "../select.ts";
import type { AdapterSubject } from "../subject.ts";
import { clausesOf } from "./clauses.ts";
import { type Replayed, readAll } from "./replayed.ts";

/** Recordings, read by the adapter of a subject. */
export interface Replay {
  /** Each recording and its turn. */
  readonly replayed: readonly Replayed[];
  /** Mutates the recordings: one verdict for each clause. A clause that the subject does not claim is skipped. */
  verdicts(options?: Omit<JudgeOptions, "host">): AsyncGenerator<Verdict>;
}

/** Reads recordings with the adapter of a subject. */
export async function replay(
  subject: AdapterSubject,
  recordings: readonly Recording[],
  host: Host = inProcess(),
): Promise<Replay> {
  const replayed = await readAll(subject, recordings, host);
  return {
    replayed,
    verdicts: (options = {}) => replayVerdicts(subject, replayed, { host, ...options }),
  };
}

async function* replayVerdicts(
  { notClaimed = {}, ...subject }: AdapterSubject,
  replayed: readonly Replayed[],
  { host, only, exhaustive = false, sample, signal, all }: JudgeOptions & { readonly host: Host },
): AsyncGenerator<Verdict> {
  // Without native stops the wire has no scenarios, so that only the recordings are used.
  const fixtures = replayed.flatMap(({ stream }) => (stream ? [stream.fixture] : []));
  const wire = { ...subject.wire, nativeStops: {}, fixtures };
  const harness = createHarness({ ...subject, wire }, host, { exhaustive, sample });
  for (const clause of selectClauses(only, clausesOf(replayed))) {
    const reason = notClaimed[clause.id];
    const verdict: Verdict =
      reason === undefined
        ? await judgeClause({ clause, question: clause.adapter }, harness, { signal, all })
        : { clause, status: "not-claimed", checks: 0, broken: [], reason };
    if (signal?.aborted) return;
    yield verdict;
  }
}
