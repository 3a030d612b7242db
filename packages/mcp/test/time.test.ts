import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { z } from "zod";
import { mcpTools } from "../src/index.ts";
import { callOnce, runTools } from "./run-tools.ts";
import { modernServer, oldServer, serveHttp } from "./servers.ts";

/** Resolves when it is told to. */
function latch(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

test("progress is reported, and extends the time limit", async () => {
  const steps = 40;
  const modern = await modernServer((server) => {
    server.registerTool("work", { inputSchema: z.object({}) }, async (_, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken ?? 0;
      for (let progress = 1; progress <= steps; progress += 1) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        await mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken, progress, total: steps },
        });
      }
      return { content: [{ type: "text", text: "finished" }] };
    });
  });
  const mcp = await mcpTools([{ name: "slow", transport: modern.transport, timeoutMs: 1500 }]);
  try {
    const { results, events } = await runTools(mcp, callOnce("slow__work"));
    expect(results[0]?.result.content).toEqual([{ type: "text", text: "finished" }]);
    const progress = events.filter(({ type }) => type === "tool-progress");
    expect(progress.map((event) => "progress" in event && event.progress)).toEqual(
      Array.from({ length: steps }, (_, index) => ({ progress: index + 1, total: steps })),
    );
  } finally {
    await mcp.close();
    await modern.close();
  }
});

test("a call without progress reaches its limit: it is cancelled, and in doubt", async () => {
  const cancelled = latch();
  const { transport } = oldServer((server) => {
    server.registerTool("hang", {}, async ({ signal }) => {
      signal.addEventListener("abort", cancelled.open);
      await cancelled.opened;
      return { content: [] };
    });
  });
  const mcp = await mcpTools([{ name: "slow", transport, timeoutMs: 500 }]);
  const { results } = await runTools(mcp, callOnce("slow__hang"));
  expect(results[0]).toMatchObject({ inDoubt: true, result: { isError: true } });
  await cancelled.opened;
  await mcp.close();
});

test("progress does not extend the total", async () => {
  const cancelled = latch();
  const { transport } = oldServer((server) => {
    server.registerTool("hang", {}, async ({ signal, _meta, sendNotification }) => {
      signal.addEventListener("abort", cancelled.open);
      const timer = setInterval(
        () =>
          void sendNotification({
            method: "notifications/progress",
            params: { progressToken: _meta?.progressToken ?? 0, progress: 1 },
          }),
        5,
      );
      await cancelled.opened;
      clearInterval(timer);
      return { content: [] };
    });
  });
  const mcp = await mcpTools([
    { name: "slow", transport, timeoutMs: 60_000, totalTimeoutMs: 1_000 },
  ]);
  const { results } = await runTools(mcp, callOnce("slow__hang"));
  expect(results[0]).toMatchObject({ inDoubt: true });
  await cancelled.opened;
  await mcp.close();
});

test("an abort of the run cancels the call: a server of 2025 and one of 2026", async () => {
  const started = latch();
  const cancelled: string[] = [];
  const both = latch();
  const hear = (name: string, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      signal.addEventListener("abort", () => {
        cancelled.push(name);
        if (cancelled.length === 2) both.open();
        resolve();
      });
    });
  let running = 0;
  const start = (): void => {
    running += 1;
    if (running === 2) started.open();
  };
  const old = oldServer((server) => {
    server.registerTool("hang", {}, async ({ signal }) => {
      start();
      await hear("old", signal);
      return { content: [] };
    });
  });
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "modern", version: "1.0.0" });
    server.registerTool("hang", {}, async ({ mcpReq }) => {
      start();
      await hear("modern", mcpReq.signal);
      return { content: [] };
    });
    return server;
  });
  const served = await serveHttp((request) => handler.fetch(request));
  const mcp = await mcpTools([
    { name: "old", transport: old.transport },
    { name: "modern", transport: () => new StreamableHTTPClientTransport(served.url) },
  ]);
  const stop = new AbortController();
  void started.opened.then(() => stop.abort());
  const calls = [
    { name: "old__hang", input: {} },
    { name: "modern__hang", input: {} },
  ];
  const { outcome, results } = await runTools(mcp, [{ calls }], { signal: stop.signal });
  expect(outcome.status).toBe("aborted");
  expect(results.map(({ inDoubt }) => inDoubt)).toEqual([true, true]);
  await both.opened;
  expect(cancelled.toSorted()).toEqual(["modern", "old"]);
  await mcp.close();
  await served.close();
});
