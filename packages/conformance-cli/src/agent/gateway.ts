import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as after } from "node:timers/promises";
import { fillPlaces } from "../gateway/options.ts";
import { type StartOptions, startProcess, withoutProxy } from "./process.ts";

/** A gateway to start, and how it is known to be ready. */
export interface GatewayToStart extends StartOptions {
  /** The address that answers when the gateway is ready. */
  readonly url: string;
  /** Whether an answer with this status is one of a gateway that is ready. */
  isReady(status: number): boolean;
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

/** A gateway that stands between a program and the model. */
export interface GatewayOptions {
  /**
   * The line for the shell that starts it, in the folder of this process. `{port}` stands for the
   * port on 127.0.0.1 at which it must listen, `{upstream}` for the address of the model, such as
   * `http://127.0.0.1:40123`.
   */
  readonly command: string;
  /** The path under which it passes requests to the model, such as `/model`; none by default. */
  readonly path?: string | undefined;
}

export interface RunningGateway {
  /** The address for the program. */
  readonly url: string;
  /** @throws Error if it has ended by itself. */
  assertRunning(): void;
  /** Ends it, and everything that it started. */
  stop(): Promise<void>;
}

/** The path that is asked until the gateway answers. It need not know it. */
export const readyPath = "/readyz";

/** Ports that no system gives out by itself: on Linux these begin at 32,768. */
const ports = { from: 20_000, to: 32_000 } as const;

export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(ports.from, ports.to);
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}

/**
 * Starts a gateway in front of `upstream`, and waits until it answers.
 * @throws Error if it does not answer in time, or ends before.
 */
export async function startGateway(
  { command, path = "" }: GatewayOptions,
  upstream: string,
  { timeoutMs, signal }: Pick<GatewayToStart, "timeoutMs" | "signal">,
): Promise<RunningGateway> {
  const port = await findFreePort();
  const server = `http://127.0.0.1:${port}`;
  const { end, printed, stop } = await launchGateway({
    command: [fillPlaces(command, { upstream, port })],
    shell: true,
    folder: process.cwd(),
    env: { ...process.env, ...withoutProxy },
    url: `${server}${readyPath}`,
    isReady: (status) => status < 500,
    timeoutMs,
    signal,
    late: `The gateway did not answer at ${server} within ${timeoutMs / 1000} s. Its command must listen at {port}.`,
    ended: (how) => `The gateway ended before it answered, ${how}.`,
  });
  return {
    url: `${server}${path}`,
    assertRunning: () => {
      if (end() !== undefined)
        throw new Error(`The gateway ended during a run, ${end()}. ${printed()}`);
    },
    stop,
  };
}
