/** Runs at most `jobs` works at the same time. */
export function limitConcurrency(jobs: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = jobs;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}
