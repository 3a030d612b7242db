export interface Job<T> {
  /** Nothing runs beside it. */
  readonly alone: boolean;
  readonly run: () => Promise<T>;
}

/** Starts jobs in their order, so many at a time at most; results stand in the order of the jobs. After one that fails none is started. */
export async function runJobs<T>(jobs: readonly Job<T>[], atOnce: number): Promise<readonly T[]> {
  const results: T[] = [];
  for (const batch of batches(jobs)) results.push(...(await together(batch, atOnce)));
  return results;
}

/** Neighbours that may run side by side; one that runs alone is a batch of its own. */
function batches<T>(jobs: readonly Job<T>[]): readonly (readonly Job<T>[])[] {
  const all: Job<T>[][] = [];
  for (const [at, job] of jobs.entries()) {
    const open = all.at(-1);
    if (open === undefined || job.alone || jobs[at - 1]?.alone) all.push([job]);
    else open.push(job);
  }
  return all;
}

async function together<T>(jobs: readonly Job<T>[], atOnce: number): Promise<readonly T[]> {
  const results: T[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let at = next++; at < jobs.length; at = next++) {
      try {
        results[at] = await (jobs[at] as Job<T>).run();
      } catch (thrown) {
        next = jobs.length;
        throw thrown;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, jobs.length) }, lane));
  return results;
}
