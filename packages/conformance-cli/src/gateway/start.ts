import { setTimeout as after } from "node:timers/promises";
import { type StartOptions, startProcess } from "../agent/process.ts";

/** A gateway to start, and how it is known to be ready. */
export interface GatewayToStart extends StartOptions {
  /** The address that answers when the gateway is ready. */
  readonly url: string;
  /** Whether an answer with this status is one of a gateway that is ready. */
  isReady(status: number): boolean;
  /** How long to wait until it answers. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** What to say if it does not answer in time: a sentence. */
  readonly late: string;
  /** What to say if it ends before. `how`: `with exit code 1`. */
  ended(how: string): string;
}

export interface GatewayProcess {
  /** How it has ended by itself; `undefined` if it runs. */
  end(): string | undefined;
  /** A sentence about what it has printed. */
  printed(): string;
  /** Ends it, with everything that it started. */
  stop(): Promise<void>;
}

const pollMs = 20;
/** A gateway that takes longer for one answer is asked again. */
const attemptMs = 2000;

async function answers({ url, isReady }: GatewayToStart, signal: AbortSignal): Promise<boolean> {
  try {
    const ending = AbortSignal.any([signal, AbortSignal.timeout(attemptMs)]);
    const response = await fetch(url, { signal: ending, redirect: "manual" });
    await response.body?.cancel();
    return isReady(response.status);
  } catch {
    // It does not listen yet.
    return false;
  }
}

/**
 * Starts a gateway, and waits until it answers. It ends with `stop`, and with this process.
 * @throws Error, with what it printed, if it ends, does not answer in time, or on abort.
 */
export async function launchGateway(gateway: GatewayToStart): Promise<GatewayProcess> {
  const { timeoutMs, signal, late } = gateway;
  signal?.throwIfAborted();
  const started = startProcess(gateway);
  let end: string | Error | undefined;
  started.ended.then(
    (exitCode) => {
      end = exitCode === null ? "by a signal" : `with exit code ${exitCode}`;
    },
    (thrown: unknown) => {
      end = thrown instanceof Error ? thrown : new Error(String(thrown));
    },
  );
  const running: GatewayProcess = {
    end: () => (end instanceof Error ? end.message : end),
    printed: () => {
      const output = started.output();
      return output === "" ? "It printed nothing." : `It printed: ${output}`;
    },
    stop: async () => {
      await started.killAll();
      await started.closeOutput();
    },
  };
  const timer = AbortSignal.timeout(timeoutMs);
  const waiting = signal === undefined ? timer : AbortSignal.any([signal, timer]);
  while (!(await answers(gateway, waiting))) {
    const isOver = end !== undefined || waiting.aborted;
    if (!isOver) {
      await after(pollMs);
      continue;
    }
    const early = typeof end === "string" ? gateway.ended(end) : running.end();
    await running.stop();
    signal?.throwIfAborted();
    throw new Error(`${early ?? late} ${running.printed()}`);
  }
  return running;
}
