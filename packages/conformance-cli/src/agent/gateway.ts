import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { fillPlaces } from "../gateway/options.ts";
import { type GatewayToStart, launchGateway } from "../gateway/start.ts";
import { withoutProxy } from "./process.ts";

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
