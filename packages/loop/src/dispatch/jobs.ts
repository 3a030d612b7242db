export interface Job<T> {
  /** No other job runs at the same time. */
  readonly exclusive: boolean;
  readonly run: () => Promise<T>;
}

/**
 * Starts jobs in their order, at most `concurrency` at the same time. The results are in the order
 * of the jobs. After a failure no job starts.
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

async function runGroup<T>(jobs: readonly Job<T>[], concurrency: number): Promise<readonly T[]> {
  const results: T[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let position = next++; position < jobs.length; position = next++) {
      try {
        results[position] = await (jobs[position] as Job<T>).run();
      } catch (thrown) {
        next = jobs.length;
        throw thrown;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, jobs.length) }, work));
  return results;
}
