import { startGateway } from "@fullstop/conformance-cli/process";
import { standardGateway } from "../guard.ts";
import type { Between } from "./run.ts";

const startTimeoutMs = 30_000;

/** Starts the gateway of this repository in front of a provider. */
export async function startGuard(server: string): Promise<Between> {
  const { url, stop, assertRunning } = await startGateway(standardGateway, server, {
    timeoutMs: startTimeoutMs,
  });
  return {
    url,
    close: async () => {
      try {
        assertRunning();
      } finally {
        await stop();
      }
    },
  };
}
