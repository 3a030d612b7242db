import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import open from "open";

/** A program that opens browsers ends at once if there is none. Later it runs the browser. */
const failsWithinMs = 3000;

/** Opens a file or an address in the browser of the system. False: the system has none. */
export async function openInBrowser(target: string): Promise<boolean> {
  try {
    return (await launchCodeOf(await open(target))) === 0;
  } catch {
    // The program that opens browsers is missing.
    return false;
  }
}

/** 0 if it is still running. */
async function launchCodeOf(opener: ChildProcess): Promise<number> {
  if (opener.exitCode !== null) return opener.exitCode;
  const done = new AbortController();
  const running = sleep(failsWithinMs, [0], { signal: done.signal }).catch(() => [0]);
  const [code] = await Promise.race([once(opener, "exit"), running]);
  done.abort();
  return Number(code ?? 1);
}
