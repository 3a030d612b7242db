const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
/** The signals that end a command early. */
export type ExitSignal = keyof typeof exitCodes;
const exitSignals = Object.keys(exitCodes) as ExitSignal[];

/**
 * Does work until it ends or a signal comes: then `stop` aborts, the work can clean up, and the
 * exit code is that of the signal.
 */
export async function interruptible(
  work: (stop: AbortController) => Promise<number>,
  onInterrupted: (signal: ExitSignal) => void,
): Promise<number> {
  const stop = new AbortController();
  let received: ExitSignal | undefined;
  const interrupt = (signal: ExitSignal): void => {
    received = signal;
    stop.abort();
  };
  for (const signal of exitSignals) process.once(signal, interrupt);
  try {
    const code = await work(stop);
    if (received === undefined) return code;
    onInterrupted(received);
    return exitCodes[received];
  } finally {
    for (const signal of exitSignals) process.off(signal, interrupt);
  }
}
