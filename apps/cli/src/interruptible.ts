const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
/** The signals that end a command early. */
export type ExitSignal = keyof typeof exitCodes;
const exitSignals = Object.keys(exitCodes) as ExitSignal[];

/**
 * Ends the process on a signal while no command listens to it. Without a listener the first process
 * of a container ignores the signals, also while its command loads.
 */
export function endOnSignals(): void {
  for (const signal of exitSignals)
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(exitCodes[signal]);
    });
}

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
