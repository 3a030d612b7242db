import { seed } from "@tooling/test/property";
import { expect, test } from "vitest";
import { startGateway } from "./command.ts";
import { ask, replies } from "./replies.ts";
import { openWildUpstream } from "./wild.ts";

/** What the client of a silent reply gets, so that it does not give up. */
const ping = 'event: ping\ndata: {"type":"ping"}\n\n';
const count = Number(process.env["FULLSTOP_REQUESTS"] ?? 100_000);

test(`${count} requests and replies of any form end neither the process nor a reply`, {
  timeout: 1_800_000,
}, async () => {
  using upstream = await openWildUpstream(seed);
  using gateway = await startGateway([`--to=up=${upstream.url}`]);
  const greeting = gateway.stderr();
  const running = await ask(gateway.url);
  await upstream.play(Number(new URL(gateway.url).port), count);
  upstream.finish();
  expect((await running.text()).replaceAll(ping, "")).toBe(replies.anthropic.finished);
  // A client that is gone learns nothing of the end of its reply.
  const metrics = async () => (await fetch(`${gateway.url}/metrics`)).text();
  await expect.poll(metrics, { timeout: 60_000 }).toContain("fullstop_active_requests 0\n");
  gateway.child.kill("SIGTERM");
  expect(await gateway.exitCode).toBe(0);
  expect(gateway.lines("error")).toEqual([]);
  expect(gateway.stderr()).toBe(greeting);
});
