import { Agent } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { startGateway } from "./command.ts";
import { longReply, openReply, sse } from "./replies.ts";
import { openUpstream } from "./servers.ts";
import { metricsOf, peakOf } from "./usage.ts";

// Takes some minutes on a busy machine: it moves 2 GiB.
const clients = 2000;
const reply = longReply(1024 * 1024);
const half = Math.round(reply.length / 2);

async function ask(url: string, agent: Agent): Promise<"whole" | "refused"> {
  const incoming = await openReply(url, agent);
  let seen = "";
  incoming
    .setEncoding("utf8")
    .on("data", (part: string) => {
      seen += part;
    })
    .on("error", () => undefined);
  await new Promise<void>((resolve) => incoming.once("close", resolve));
  if (seen === reply) return "whole";
  expect(seen).toMatch(/Service unavailable: .* Send the request again in a moment\./);
  expect(seen).not.toContain("tool_use");
  return "refused";
}

test.skipIf(process.platform !== "linux")(
  `${clients} replies at once with 1 MiB of held call each stay below 1 GiB`,
  { timeout: 900_000 },
  async () => {
    await using upstream = await openUpstream((response) => {
      response.writeHead(200, { ...sse, connection: "close" });
      response.write(reply.slice(0, half), () => response.end(reply.slice(half)));
    });
    using gateway = await startGateway([`--to=up=${upstream.url}`, "--keep-alive=0"]);
    onTestFinished(() => void gateway.child.kill("SIGKILL"));
    const agent = new Agent();
    const ends = await Promise.all(Array.from({ length: clients }, () => ask(gateway.url, agent)));
    agent.destroy();
    const peak = peakOf(gateway);
    const whole = ends.filter((end) => end === "whole").length;
    process.stdout.write(`${whole} of ${clients} whole, the others refused; ${peak} MiB at most\n`);
    expect(whole).toBeGreaterThan(0);
    expect(peak).toBeLessThan(1024);
    expect((await metricsOf(gateway.url))("fullstop_active_requests")).toBe(0);
  },
);
