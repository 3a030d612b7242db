import { Agent } from "node:http";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { startGateway } from "./command.ts";
import { openReply, replies, sse } from "./replies.ts";
import { openUpstream } from "./servers.ts";
import { metricsOf } from "./usage.ts";

const { broken, finished } = replies.anthropic;
const clients = 1000;

test(`${clients} replies at once need little memory and leave nothing open`, {
  timeout: 120_000,
}, async () => {
  const finish: (() => void)[] = [];
  await using upstream = await openUpstream((response) => {
    // A busy machine may use a connection again in the moment in which the other side closes it.
    response.writeHead(200, { ...sse, connection: "close" }).write(broken);
    finish.push(() => response.end(finished.slice(broken.length)));
  });
  using gateway = await startGateway([`--to=up=${upstream.url}`, "--keep-alive=0"]);
  // A test that times out does not come to the end of its block.
  onTestFinished(() => void gateway.child.kill("SIGKILL"));
  const agent = new Agent();
  /** Opens all replies, measures while their calls are held, and ends them. */
  const runWave = async (): Promise<{ held: number; after: number }> => {
    const incoming = await Promise.all(
      Array.from({ length: clients }, () => openReply(gateway.url, agent)),
    );
    expect(incoming.filter(({ statusCode }) => statusCode !== 200)).toHaveLength(0);
    const during = await metricsOf(gateway.url);
    expect(during("fullstop_active_requests")).toBe(clients);
    for (const end of finish.splice(0)) end();
    const bodies = await Promise.all(incoming.map((one) => text(one)));
    expect(bodies.every((one) => one === finished)).toBe(true);
    const after = await metricsOf(gateway.url);
    expect(after("fullstop_active_requests")).toBe(0);
    return {
      held: during("process_resident_memory_bytes"),
      after: after("process_resident_memory_bytes"),
    };
  };
  const before = (await metricsOf(gateway.url))("process_resident_memory_bytes");
  const first = await runWave();
  const second = await runWave();
  agent.destroy();
  const perReply = (second.held - before) / clients / 1024;
  process.stdout.write(
    `${clients} replies: ${perReply.toFixed(0)} KiB each, MiB ${[before, first.held, second.held, second.after].map((bytes) => Math.round(bytes / 1024 / 1024)).join(" ")}\n`,
  );
  expect(perReply).toBeLessThan(400);
  expect(second.held).toBeLessThan(first.held * 1.6);
  await expect.poll(() => upstream.connections.open).toBe(0);
  await expect.poll(() => gateway.lines("reply").length).toBe(2 * clients);
  gateway.child.kill("SIGTERM");
  expect(await gateway.exitCode).toBe(0);
});
