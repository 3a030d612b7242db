import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as after } from "node:timers/promises";
import { type StartedProcess, startProcess, withoutProxy } from "./process.ts";

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

/** A gateway that answers. */
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
const pollMs = 20;

/**
 * Ports that no system gives out by itself (Linux begins at 32,768), so that another socket takes
 * one only on purpose.
 */
const ports = { from: 20_000, to: 32_000 } as const;

/** A port that nothing listens at. */
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

/** Whether the address answers, and not with 503 or another error of a server. */
async function isReady(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(url, { signal });
    await response.body?.cancel();
    return response.status < 500;
  } catch {
    // It does not listen yet.
    return false;
  }
}

const describeOutput = (started: StartedProcess): string => {
  const output = started.output();
  return output === "" ? "It printed nothing." : `It printed: ${output}`;
};
const describeExit = (exitCode: number | null): string =>
  exitCode === null ? "by a signal" : `with exit code ${exitCode}`;

interface StartedGateway {
  readonly server: string;
  readonly started: StartedProcess;
  /** How it has ended by itself. */
  end(): string | undefined;
}
interface WaitOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

async function launch(command: string, upstream: string): Promise<StartedGateway> {
  const port = await findFreePort();
  const line = command.replaceAll("{port}", String(port)).replaceAll("{upstream}", upstream);
  const started = startProcess({
    command: [line],
    shell: true,
    folder: process.cwd(),
    env: { ...process.env, ...withoutProxy },
  });
  let end: string | undefined;
  started.ended.then(
    (exitCode) => {
      end = describeExit(exitCode);
    },
    (thrown: unknown) => {
      end = String(thrown);
    },
  );
  return { server: `http://127.0.0.1:${port}`, started, end: () => end };
}

async function waitUntilReady(
  { server, started, end }: StartedGateway,
  { timeoutMs, signal }: WaitOptions,
): Promise<void> {
  const timer = AbortSignal.timeout(timeoutMs);
  const waiting = signal === undefined ? timer : AbortSignal.any([signal, timer]);
  while (!(await isReady(`${server}${readyPath}`, waiting))) {
    signal?.throwIfAborted();
    if (end() !== undefined) {
      await started.closeOutput();
      throw new Error(`The gateway ended before it answered, ${end()}. ${describeOutput(started)}`);
    }
    if (waiting.aborted)
      throw new Error(
        `The gateway did not answer at ${server} within ${timeoutMs / 1000} s. Its command must listen at {port}. ${describeOutput(started)}`,
      );
    await after(pollMs);
  }
}

/**
 * Starts a gateway in front of `upstream`, and waits until it answers.
 * @throws Error if it does not answer in time, or ends before.
 */
export async function startGateway(
  { command, path = "" }: GatewayOptions,
  upstream: string,
  options: WaitOptions,
): Promise<RunningGateway> {
  options.signal?.throwIfAborted();
  const gateway = await launch(command, upstream);
  const { server, started, end } = gateway;
  const stop = async (): Promise<void> => {
    await started.killAll();
    await started.closeOutput();
  };
  try {
    await waitUntilReady(gateway, options);
  } catch (thrown) {
    await stop();
    throw thrown;
  }
  return {
    url: `${server}${path}`,
    assertRunning: () => {
      if (end() !== undefined)
        throw new Error(`The gateway ended during a run, ${end()}. ${describeOutput(started)}`);
    },
    stop,
  };
}
