import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { z } from "zod";
import { boundedFetch, mcpTools } from "../src/index.ts";
import { callOnce, runTools } from "./run-tools.ts";
import { serveHttp } from "./servers.ts";

const maxBytes = 1024 * 1024;
const pieceBytes = 64 * 1024;

/** A server with a tool whose answer never ends. It begins like this, and goes on with `piece`. */
async function endlessServer(type: string, beginning: string, piece: string) {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "endless", version: "1.0.0" });
    server.registerTool("say", {}, async () => ({ content: [] }));
    return server;
  });
  const sent = { bytes: 0, answers: 0 };
  const served = await serveHttp(async (request) => {
    const message = request.method === "POST" ? await request.clone().json() : undefined;
    if (message?.method !== "tools/call") return handler.fetch(request);
    sent.answers += 1;
    const bytes = new TextEncoder().encode(piece.repeat(pieceBytes / piece.length));
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(beginning)),
      pull: async (controller) => {
        // A server that other requests reach too.
        await new Promise((resolve) => setImmediate(resolve));
        sent.bytes += bytes.length;
        controller.enqueue(bytes);
      },
    });
    return new Response(body, { headers: { "content-type": type } });
  });
  const left = Promise.withResolvers<void>();
  served.http.on("request", (_, response) => {
    response.on("close", () => response.writableFinished || left.resolve());
  });
  return { ...served, sent, left: left.promise };
}

test.each([
  ["a JSON text", "application/json", '{"jsonrpc":"2.0","id":1,"result":"', "x"],
  ["one line of an event", "text/event-stream", "data: ", "x"],
  ["an event of many lines", "text/event-stream", "id: 7\ndata: {}\n\ndata: ", "x\ndata: "],
])("%s without an end is read up to the limit, and its call is in doubt", async (_, ...answer) => {
  const served = await endlessServer(...answer);
  const fetch = boundedFetch({ maxBytes });
  const transport = () => new StreamableHTTPClientTransport(served.url, { fetch });
  const mcp = await mcpTools([{ name: "endless", transport }]);
  try {
    const { results } = await runTools(mcp, callOnce("endless__say"));
    expect(results[0]).toMatchObject({ inDoubt: true, result: { isError: true } });
    expect(results[0]?.result.content).toContain(`Its answer is larger than ${maxBytes} bytes`);
    await served.left;
    expect(served.sent.answers).toBe(1);
    // What the sockets and the streams hold is on its way.
    expect(served.sent.bytes).toBeLessThan(maxBytes + 16 * 1024 * 1024);
  } finally {
    await mcp.close();
    await served.close();
  }
});

test("answers below the limit arrive, and so does a stream of many events that are larger together", async () => {
  // The loop shortens a larger result.
  const text = "y".repeat(200_000);
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "large", version: "1.0.0" });
    server.registerTool("say", { inputSchema: z.object({}) }, async (_, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken ?? 0;
      for (let progress = 1; progress <= 8; progress += 1) {
        const params = { progressToken, progress, message: text };
        await mcpReq.notify({ method: "notifications/progress", params });
      }
      return { content: [{ type: "text", text }] };
    });
    return server;
  });
  const served = await serveHttp((request) => handler.fetch(request));
  const fetch = boundedFetch({ maxBytes });
  const transport = () => new StreamableHTTPClientTransport(served.url, { fetch });
  const mcp = await mcpTools([{ name: "large", transport }]);
  try {
    const { results } = await runTools(mcp, callOnce("large__say"));
    expect(results[0]?.result.content).toEqual([{ type: "text", text }]);
  } finally {
    await mcp.close();
    await served.close();
  }
});

test("a limit that cannot work is an error", () => {
  for (const wrong of [0, -1, 1.5, Number.NaN])
    expect(() => boundedFetch({ maxBytes: wrong })).toThrow("`maxBytes` of `boundedFetch`");
  expect(() => boundedFetch({ bytes: 7 } as never)).toThrow("Unknown option `bytes`");
});
