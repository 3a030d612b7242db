export interface Job<T> {
  /** No other job runs at the same time. */
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

/**
 * A worker ends when no job can start. The jobs that are left then belong to kinds whose limit is
 * reached, so the workers of their running jobs run the rest.
 */
async function runGroup<T>(jobs: readonly Job<T>[], concurrency: number): Promise<readonly T[]> {
  const results: T[] = [];
  const queue = startQueue(jobs);
  const work = async (): Promise<void> => {
    for (let next = queue.take(); next !== undefined; next = queue.take()) {
      try {
        results[next.position] = await next.job.run();
      } catch (thrown) {
        queue.clear();
        throw thrown;
      }
      queue.release(next.job);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, jobs.length) }, work));
  return results;
}

interface QueuedJob<T> {
  readonly job: Job<T>;
  readonly position: number;
}
interface JobQueue<T> {
  /** The first job that may start now. */
  readonly take: () => QueuedJob<T> | undefined;
  /** The job has ended. */
  readonly release: (job: Job<T>) => void;
  /** No further job starts. */
  readonly clear: () => void;
}

function startQueue<T>(jobs: readonly Job<T>[]): JobQueue<T> {
  let waiting = jobs.map((job, position): QueuedJob<T> => ({ job, position }));
  const running = new Map<object, number>();
  const count = ({ limit }: Job<T>, change: number): void => {
    if (limit !== undefined) running.set(limit.of, (running.get(limit.of) ?? 0) + change);
  };
  const mayStart = ({ job: { limit } }: QueuedJob<T>): boolean =>
    limit === undefined || (running.get(limit.of) ?? 0) < limit.max;
  return {
    take: () => {
      const index = waiting.findIndex(mayStart);
      const [next] = index < 0 ? [] : waiting.splice(index, 1);
      if (next !== undefined) count(next.job, 1);
      return next;
    },
    release: (job) => count(job, -1),
    clear: () => {
      waiting = [];
    },
  };
}
