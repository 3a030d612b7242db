import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileJournal } from "@fullstop/journal-file";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { McpError } from "@modelcontextprotocol/sdk/types.js";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { runs } from "@tooling/test/property";
import { expect, test } from "vitest";
import { z } from "zod";
import { mcpTools } from "../src/index.ts";
import { callOnce, runTools } from "./run-tools.ts";
import { modernServer, oldServer, rawServer, serveHttp } from "./servers.ts";

const kills = runs(100);

test(`a server that drops the connection after it got a call: ${kills} kills, no effect twice`, async () => {
  const effects: unknown[] = [];
  const folder = mkdtempSync(join(tmpdir(), "fullstop-mcp-"));
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "shop", version: "1.0.0" });
    const inputSchema = z.object({ order: z.number() });
    server.registerTool("pay", { inputSchema }, async (_, { mcpReq }) => {
      effects.push(mcpReq._meta?.["idempotencyKey"]);
      served.http.closeAllConnections();
      return { content: [] };
    });
    return server;
  });
  const served = await serveHttp((request) => handler.fetch(request));
  const mcp = await mcpTools([
    { name: "shop", transport: () => new StreamableHTTPClientTransport(served.url) },
  ]);
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const store = kill % 5 === 0 ? fileJournal(join(folder, `${kill}.jsonl`)) : undefined;
      const options = store && { journal: { store, runId: `order-${kill}` } };
      const killed = await runTools(mcp, callOnce("shop__pay", { order: kill }), options);
      expect(killed.results[0]).toMatchObject({ inDoubt: true, result: { isError: true } });
      expect(killed.results[0]?.result.content).toContain("its outcome is unknown");
      if (options === undefined) continue;
      // The whole run again, from its journal.
      const resumed = await runTools(mcp, [], options);
      expect(resumed.results[0]).toMatchObject({ replayed: true });
    }
    expect(effects.length).toBe(kills);
    expect(new Set(effects).size).toBe(kills);
  } finally {
    await mcp.close();
    await served.close();
    rmSync(folder, { recursive: true });
  }
});

test("the same for a tool that may be repeated: no doubt, and the model may call it again", async () => {
  const { http, close, transport } = await modernServer((server) => {
    server.registerTool("put", { annotations: { idempotentHint: true } }, async () => {
      http.closeAllConnections();
      return { content: [] };
    });
  });
  const mcp = await mcpTools([{ name: "shop", transport, trust: true }]);
  try {
    const { results } = await runTools(mcp, callOnce("shop__put"));
    expect(results[0]?.inDoubt).toBeUndefined();
    expect(results[0]?.result).toMatchObject({ isError: true });
    expect(results[0]?.result.content).toContain("may be called again");
  } finally {
    await mcp.close();
    await close();
  }
});

test("a server that cannot be reached was not called", async () => {
  const modern = await modernServer((server) => {
    server.registerTool("pay", {}, () => ({ content: [] }));
  });
  const mcp = await mcpTools([{ name: "shop", transport: modern.transport }]);
  await modern.close();
  // The sockets that the client kept are gone after this.
  await expect(fetch(modern.url)).rejects.toThrow();
  const { results } = await runTools(mcp, callOnce("shop__pay"));
  expect(results[0]?.result.content).toContain("was not run");
  expect(results[0]?.inDoubt).toBeUndefined();
  await mcp.close();
});

test("after the connection of a server of 2025 was lost, the call is in doubt, and the next connects again", async () => {
  const effects: unknown[] = [];
  const old = oldServer((server) => {
    server.registerTool("pay", {}, async () => {
      effects.push("paid");
      if (effects.length === 1) await server.close();
      return { content: [{ type: "text", text: "paid" }] };
    });
  });
  const mcp = await mcpTools([{ name: "shop", transport: old.transport }]);
  const again = callOnce("shop__pay")[0] as never;
  const { results } = await runTools(mcp, [again, again, "Done."]);
  expect(results.map(({ inDoubt }) => inDoubt)).toEqual([true, undefined]);
  expect(results[1]?.result.content).toEqual([{ type: "text", text: "paid" }]);
  expect(effects).toEqual(["paid", "paid"]);
  expect(old.servers.length).toBe(2);
  await mcp.close();
});

test("HTTP statuses: a rejection was not run, a failure is in doubt", async () => {
  const fates: unknown[] = [];
  for (const status of [400, 401, 403, 429, 500, 502, 503, 504]) {
    let isFailing = false;
    const handler = createMcpHandler(() => {
      const server = new McpServer({ name: "shop", version: "1.0.0" });
      server.registerTool("pay", {}, () => ({ content: [] }));
      return server;
    });
    const served = await serveHttp(async (request) =>
      isFailing ? new Response("no", { status }) : handler.fetch(request),
    );
    const mcp = await mcpTools([
      { name: "shop", transport: () => new StreamableHTTPClientTransport(served.url) },
    ]);
    isFailing = true;
    const { results } = await runTools(mcp, callOnce("shop__pay"));
    fates.push([status, results[0]?.inDoubt ?? false, results[0]?.result.isError]);
    await mcp.close();
    await served.close();
  }
  expect(fates).toEqual([
    [400, false, true],
    [401, false, true],
    [403, false, true],
    [429, false, true],
    [500, true, true],
    [502, true, true],
    [503, true, true],
    [504, true, true],
  ]);
});

const unreadable = "and no answer came that can be read\\. .{20,340} Check";
test.each<[string, (id: unknown) => Response, string]>([
  [
    "a page",
    () => new Response("<html>", { headers: { "content-type": "text/html" } }),
    unreadable,
  ],
  [
    "a cut text",
    () => new Response("{", { headers: { "content-type": "application/json" } }),
    unreadable,
  ],
  ["no result", (id) => Response.json({ jsonrpc: "2.0", id, result: null }), unreadable],
  [
    "a result with a block of an unknown type",
    (id) =>
      Response.json({
        jsonrpc: "2.0",
        id,
        result: { resultType: "complete", content: [{ type: "video" }] },
      }),
    unreadable.replace(" Check", " …\\. Check"),
  ],
])("an answer that is not a response of the protocol is in doubt: %s", async (_, answer, why) => {
  let isFailing = false;
  const handler = createMcpHandler(() => {
    const one = new McpServer({ name: "shop", version: "1.0.0" });
    one.registerTool("pay", {}, () => ({ content: [] }));
    return one;
  });
  const served = await serveHttp(async (request) =>
    isFailing ? answer((await request.json()).id) : handler.fetch(request),
  );
  const mcp = await mcpTools([
    { name: "shop", transport: () => new StreamableHTTPClientTransport(served.url) },
  ]);
  isFailing = true;
  const { results } = await runTools(mcp, callOnce("shop__pay"));
  expect(results[0]?.inDoubt).toBe(true);
  expect(results[0]?.result.content).toMatch(new RegExp(why, "s"));
  await mcp.close();
  await served.close();
});

test("an error with which a proxy says that it lost the answer leaves a doubt", async () => {
  const doubts: unknown[] = [];
  for (const code of [-32000, -32001, -32602, -32603, -32050]) {
    const transport = rawServer([{ name: "pay", inputSchema: { type: "object" } }], () => {
      throw new McpError(code, "It did not work.");
    });
    const mcp = await mcpTools([{ name: "shop", transport }]);
    const { results } = await runTools(mcp, callOnce("shop__pay"));
    doubts.push([code, results[0]?.inDoubt === true]);
    await mcp.close();
  }
  expect(doubts).toEqual([
    [-32000, true],
    [-32001, true],
    [-32602, false],
    [-32603, false],
    [-32050, false],
  ]);
});
