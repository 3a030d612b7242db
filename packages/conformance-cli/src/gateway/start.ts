import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { setTimeout as after } from "node:timers/promises";
import { wires } from "@fullstop/conformance/wires";
import { startProcess } from "../agent/process.ts";
import { createEnvironment, isForAgents } from "../agent/program.ts";

export interface GatewayToStart {
  readonly command: readonly string[];
  /** The address of upstream, which the environment names. */
  readonly upstream: string;
  /** The port that the environment names. */
  readonly port: number;
  /** The address that answers when the gateway is ready. */
  readonly url: string;
  /** How long to wait until it answers, in milliseconds. */
  readonly startTimeoutMs: number;
  readonly signal: AbortSignal;
}

export interface GatewayProcess {
  /** Ends it, with everything that it started. */
  stop(): Promise<void>;
}

const answerPauseMs = 100;
const attemptMs = 2000;

/** Whether a server answers, with any status. */
function answers(url: string, signal: AbortSignal): Promise<boolean> {
  const send = new URL(url).protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve) => {
    const ending = AbortSignal.any([signal, AbortSignal.timeout(attemptMs)]);
    const request = send(url, { agent: false, signal: ending }, (response) => {
      response.destroy();
      resolve(true);
    });
    request.on("error", () => resolve(false));
    request.end();
  });
}

/**
 * Starts a gateway, and waits until it answers. It ends with `stop`, and with this process.
 * @throws Error, with what it printed, if it ends, does not answer in time, or on abort.
 */
export async function launchGateway(gateway: GatewayToStart): Promise<GatewayProcess> {
  const { command, upstream, port, url, startTimeoutMs, signal } = gateway;
  signal.throwIfAborted();
  const started = startProcess({
    command,
    folder: process.cwd(),
    env: {
      ...createEnvironment({ wires: Object.values(wires).filter(isForAgents) }, upstream),
      CONFORMANCE_UPSTREAM: upstream,
      CONFORMANCE_PORT: String(port),
    },
  });
  let ended: string | undefined;
  started.ended.then(
    () => {
      ended = "The gateway ended by itself.";
    },
    (thrown: unknown) => {
      ended = thrown instanceof Error ? thrown.message : String(thrown);
    },
  );
  const stop = async (): Promise<void> => {
    await started.killAll();
    await started.closeOutput();
  };
  signal.addEventListener("abort", () => void stop(), { once: true });
  const deadline = performance.now() + startTimeoutMs;
  while (!(await answers(url, signal))) {
    const late = performance.now() > deadline;
    if (ended === undefined && !late && !signal.aborted) {
      await after(answerPauseMs);
      continue;
    }
    await stop();
    signal.throwIfAborted();
    const reason = late
      ? `The gateway did not answer at ${url} within ${startTimeoutMs / 1000} s: --start-timeout gives it more time.`
      : ended;
    const output = started.output();
    throw new Error(`${reason} ${output === "" ? "It printed nothing." : `It printed: ${output}`}`);
  }
  return { stop };
}
