export interface Job<T> {
  readonly exclusive: boolean;
  /** The kind of the job, and how many of this kind run at the same time, at most. */
  readonly limit: { readonly of: object; readonly max: number } | undefined;
  readonly run: () => Promise<T>;
}

/**
 * Starts jobs in their order, at most `concurrency` at the same time. If the limit of a kind is
 * reached, the jobs of other kinds start before its next one. The results are in the order of the
 * jobs. After a failure no job starts.
 */
export async function runJobs<T>(
  jobs: readonly Job<T>[],
  concurrency: number,
): Promise<readonly T[]> {
  const results: T[] = [];
  for (const group of groupJobs(jobs)) results.push(...(await runGroup(group, concurrency)));
  return results;
}

/** Groups of neighbours that may run at the same time. An exclusive job is a group. */
function groupJobs<T>(jobs: readonly Job<T>[]): readonly (readonly Job<T>[])[] {
  const groups: Job<T>[][] = [];
  for (const [position, job] of jobs.entries()) {
    const last = groups.at(-1);
    if (last === undefined || job.exclusive || jobs[position - 1]?.exclusive) groups.push([job]);
    else last.push(job);
  }
  return groups;
}

/** It ends when no job can start: those left belong to kinds whose running workers go on. */
async function runGroup<T>(jobs: readonly Job<T>[], concurrency: number): Promise<readonly T[]> {
  const results: T[] = [];
  let waiting = [...jobs.entries()];
  const running = new Map<object, number>();
  const countOf = (kind: object): number => running.get(kind) ?? 0;
  const take = (): [number, Job<T>] | undefined => {
    const index = waiting.findIndex(([, { limit }]) => !limit || countOf(limit.of) < limit.max);
    return index < 0 ? undefined : waiting.splice(index, 1)[0];
  };
  const work = async (): Promise<void> => {
    for (let next = take(); next !== undefined; next = take()) {
      const [position, { limit, run }] = next;
      if (limit) running.set(limit.of, countOf(limit.of) + 1);
      try {
        results[position] = await run();
      } catch (thrown) {
        waiting = [];
        throw thrown;
      }
      if (limit) running.set(limit.of, countOf(limit.of) - 1);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, jobs.length) }, work));
  return results;
}
