import { expect, test, vi } from "vitest";
import { MissingServiceError, type RestateService, startRestate } from "../src/index.ts";

const server = await startRestate().catch((thrown: unknown) => {
  if (thrown instanceof MissingServiceError) return thrown;
  throw thrown;
});

const clusterOf = async ({ adminUrl }: RestateService): Promise<unknown> => {
  const response = await fetch(`${adminUrl}/cluster-health`);
  return ((await response.json()) as { readonly cluster_name: string }).cluster_name;
};
const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

test("Restate keeps its ports and its data over SIGKILL, and leaves nothing behind", async ({
  skip,
}) => {
  if (server instanceof MissingServiceError) return skip(server.message);
  const before = server.pid;
  expect(await clusterOf(server)).toBe("kept");
  await server.kill();
  expect(isGone(before)).toBe(true);
  await expect(clusterOf(server)).rejects.toThrow("fetch failed");
  await server.restart();
  expect(await clusterOf(server)).toBe("kept");
  await server.stop();
  expect(isGone(server.pid)).toBe(true);
});

test("without Restate, the error says what to install", async () => {
  vi.stubEnv("PATH", "");
  const start = startRestate({ install: false });
  await expect(start).rejects.toThrow(MissingServiceError);
  await expect(start).rejects.toThrow("FULLSTOP_INSTALL_SERVICES=1");
  vi.unstubAllEnvs();
});
