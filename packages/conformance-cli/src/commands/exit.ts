/** What the exit codes of every command mean. */
export const exitCodes = { kept: 0, broken: 1, unable: 2, interrupted: 130 } as const;

/** The command cannot be carried out; the message tells a person what to do about it. */
export class CommandError extends Error {}

const signalExitCodes = { SIGINT: exitCodes.interrupted, SIGTERM: 143, SIGHUP: 129 } as const;
type EndingSignal = keyof typeof signalExitCodes;
const signals = Object.keys(signalExitCodes) as EndingSignal[];
/** How long work that was interrupted may take to end its processes and sockets. */
const graceMs = 5000;

/** Nothing is left that could wake the process, and the work is not done. */
function reportStuck(): void {
  process.stderr.write("conformance: a subject waits for something that cannot come any more.\n");
  process.exitCode = exitCodes.unable;
}

/**
 * Does the work and gives its exit code. Ctrl-C (or `SIGTERM`, `SIGHUP`) aborts the signal: the work then has five seconds
 * to end what it started. A second Ctrl-C ends the process at once.
 */
export async function runInterruptibly(
  work: (signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const stop = new AbortController();
  const interrupted = Promise.withResolvers<EndingSignal>();
  for (const signal of signals) process.once(signal, interrupted.resolve);
  process.once("beforeExit", reportStuck);
  try {
    const working = work(stop.signal);
    const ending = await Promise.race([working.then(() => undefined), interrupted.promise]);
    if (ending === undefined) return await working;
    process.stderr.write(`Interrupted by ${ending}. What was started is being ended.\n`);
    stop.abort();
    const late = new Promise((resolve) => setTimeout(resolve, graceMs));
    await Promise.race([working.catch(() => undefined), late]);
    return process.exit(signalExitCodes[ending]);
  } finally {
    process.off("beforeExit", reportStuck);
    for (const signal of signals) process.off(signal, interrupted.resolve);
  }
}
