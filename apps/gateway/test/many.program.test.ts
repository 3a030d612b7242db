import { Agent } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { startGateway } from "./command.ts";
import { longReply, openReply, sse } from "./replies.ts";
import { openUpstream } from "./servers.ts";
import { metricsOf, peakOf } from "./usage.ts";

const replies = 5000;
const reply = longReply(16 * 1024);
const half = Math.round(reply.length / 2);

/** How a reply ended: `whole`, `refused`, or what else the client got. */
async function ask(url: string, agent: Agent): Promise<string> {
  const incoming = await openReply(url, agent);
  const seen = await text(incoming);
  if (seen === reply) return "whole";
  const isRefused =
    incoming.statusCode === 503 && seen.includes("Send the request again in a moment.");
  return isRefused ? "refused" : `${incoming.statusCode} ${seen}`;
}

/** The ends of the replies, in the order in which they came. */
async function askAll(url: string, atOnce: number): Promise<readonly string[]> {
  const agent = new Agent({ keepAlive: true });
  const ends: string[] = [];
  let left = replies;
  const work = async (): Promise<void> => {
    while (left-- > 0) ends.push(await ask(url, agent));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  agent.destroy();
  return ends;
}

describe.skipIf(process.platform !== "linux")(`${replies} replies`, { timeout: 900_000 }, () => {
  test.each([
    { atOnce: 200, maxActive: 1000 },
    { atOnce: 2000, maxActive: 1000 },
    { atOnce: 2000, maxActive: 2000 },
  ])("$atOnce at once, --max-active=$maxActive", async ({ atOnce, maxActive }) => {
    await using upstream = await openUpstream((response) => {
      response.writeHead(200, sse);
      response.write(reply.slice(0, half), () => response.end(reply.slice(half)));
    });
    using gateway = await startGateway([`--to=up=${upstream.url}`, `--max-active=${maxActive}`]);
    onTestFinished(() => void gateway.child.kill("SIGKILL"));
    const cpuSeconds = async (): Promise<number> =>
      (await metricsOf(gateway.url))("process_cpu_seconds_total");
    const before = await cpuSeconds();
    const ends = await askAll(gateway.url, atOnce);
    const seconds = (await cpuSeconds()) - before;
    const whole = ends.filter((end) => end === "whole").length;
    process.stdout.write(
      `${atOnce} at once, --max-active=${maxActive}: ${whole} of ${replies} whole; ${seconds.toFixed(1)} s of CPU, ${Math.round(replies / seconds)} each second; ${peakOf(gateway)} MiB at most\n`,
    );
    expect(ends.filter((end) => end !== "whole" && end !== "refused")).toEqual([]);
    expect(ends).toHaveLength(replies);
    expect(whole).toBeGreaterThanOrEqual(atOnce > maxActive ? maxActive : replies);
    expect(peakOf(gateway)).toBeLessThan(1024);
  });
});
