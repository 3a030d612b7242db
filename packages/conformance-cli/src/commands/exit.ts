export const exitCodes = { passed: 0, broken: 1, failed: 2, interrupted: 130 } as const;

/** The command cannot run. The message tells the user what to do. */
export class CommandError extends Error {}

export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

/** Throws the same message as a `CommandError`, which is printed without a stack. */
export function throwCommandError(thrown: unknown): never {
  throw thrown instanceof CommandError ? thrown : new CommandError(messageOf(thrown));
}

const signalExitCodes = { SIGINT: exitCodes.interrupted, SIGTERM: 143, SIGHUP: 129 } as const;
type EndingSignal = keyof typeof signalExitCodes;
const signals = Object.keys(signalExitCodes) as EndingSignal[];
/** How long interrupted work may take to end its processes and sockets. */
const graceMs = 5000;

/** Node is about to exit: a subject waits for an event that cannot happen. */
function reportStuck(): void {
  process.stderr.write("fullstop: A subject waits for an event that cannot happen any more.\n");
  process.exitCode = exitCodes.failed;
}

/**
 * Runs the work and returns its exit code. Ctrl-C (or `SIGTERM`, `SIGHUP`) aborts the signal: the
 * work then has five seconds to end what it started. A second Ctrl-C ends the process immediately.
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
    process.stderr.write(`Interrupted by ${ending}. Ending everything that was started.\n`);
    stop.abort();
    const graceOver = new Promise((resolve) => setTimeout(resolve, graceMs));
    await Promise.race([working.catch(() => undefined), graceOver]);
    return process.exit(signalExitCodes[ending]);
  } finally {
    process.off("beforeExit", reportStuck);
    for (const signal of signals) process.off(signal, interrupted.resolve);
  }
}
