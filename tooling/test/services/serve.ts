import { readFile, rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { type ServerProcess, type ServerProgram, startServer } from "./server-process.ts";
import type { Service } from "./service.ts";

/** A server that `serve` starts. */
export interface ServedProgram extends ServerProgram {
  readonly url: string;
  /** Whether the server answers. May reject instead of `false`. */
  readonly isReady: () => Promise<boolean>;
}

/** Longest wait for an answer, with the recovery after a crash. */
const longestStartMs = 60_000;
/**
 * After SIGKILL, helpers of the old process can hold its memory or its port for a moment. A new
 * process ends at once then, and is started again for this long.
 */
const longestRetryMs = 15_000;

/** Starts a server and waits until it answers. Throws its last output if it does not. */
export async function serve(program: ServedProgram): Promise<Service> {
  let server = await startUntilReady(program, 0);
  return {
    url: program.url,
    get pid() {
      return server.pid;
    },
    stop: async () => {
      await server.end(program.stopSignal);
      await rm(program.folder, { recursive: true, force: true });
    },
    kill: () => server.end("SIGKILL"),
    restart: async () => {
      await server.end(program.stopSignal);
      server = await startUntilReady(program, longestRetryMs);
    },
  };
}

async function startUntilReady(program: ServedProgram, retryMs: number): Promise<ServerProcess> {
  const began = performance.now();
  for (;;) {
    const server = await startServer(program);
    while (!server.hasEnded() && performance.now() < began + longestStartMs) {
      if (await program.isReady().catch(() => false)) return server;
      await sleep(25);
    }
    if (performance.now() < began + retryMs) {
      await sleep(200);
      continue;
    }
    await server.end("SIGKILL");
    const lines = (await readFile(program.log, "utf8")).trimEnd().split("\n").slice(-10);
    throw new Error(
      `\`${program.command.join(" ")}\` did not start. Its last output:\n${lines.join("\n")}`,
    );
  }
}
