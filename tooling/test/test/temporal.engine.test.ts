import { expect, test, vi } from "vitest";
import { MissingServiceError, startTemporal } from "../services/index.ts";
import { isGone } from "./is-gone.ts";

vi.setConfig({ testTimeout: 120_000 });

const server = await startTemporal().catch((thrown: unknown) => {
  if (thrown instanceof MissingServiceError) return thrown;
  throw thrown;
});

test("Temporal keeps its ports and its data over SIGKILL, and leaves nothing behind", async ({
  skip,
}) => {
  if (server instanceof MissingServiceError) return skip(server.message);
  const workflow = `${server.url}/api/v1/namespaces/default/workflows/kept`;
  const kind = { workflowType: { name: "any" }, taskQueue: { name: "any" } };
  const started = await fetch(workflow, { method: "POST", body: JSON.stringify(kind) });
  expect(started.ok, await started.text()).toBe(true);
  const before = server.pid;
  await server.kill();
  expect(isGone(before)).toBe(true);
  await expect(fetch(workflow)).rejects.toThrow("fetch failed");
  await server.restart();
  expect((await fetch(workflow)).status).toBe(200);
  expect((await fetch(`${workflow}-not`)).status).toBe(404);
  await server.stop();
  expect(isGone(server.pid)).toBe(true);
});
