import { createHarness } from "../harness/harness.ts";
import { type Host, inProcess } from "../harness/host.ts";
import { type JudgeOptions, judgeClause, type Verdict } from "../judge.ts";
import { selectClauses } from "../select.ts";
import type { AdapterSubject } from "../subject.ts";
import { clausesOf } from "./clauses.ts";
import type { Recording } from "./recording.ts";
import { type Replayed, readAll, samplesOf } from "./replayed.ts";

/** Recordings that a subject has read. */
export interface Replay {
  /** How each of them reads, whole. */
  readonly replayed: readonly Replayed[];
  /** Runs every mutation on them: a verdict for each clause. Clauses that the subject does not claim are not asked. */
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
    verdicts: (options = {}) => verdicts(subject, replayed, { host, ...options }),
  };
}

async function* verdicts(
  { notClaimed = {}, ...subject }: AdapterSubject,
  replayed: readonly Replayed[],
  { host, only, exhaustive = false, sample, signal, all }: JudgeOptions & { readonly host: Host },
): AsyncGenerator<Verdict> {
  // No native stop reasons: nothing is asked but the recordings.
  const wire = { ...subject.wire, nativeStops: {}, samples: samplesOf(replayed) };
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
