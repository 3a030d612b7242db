import { randomUUID } from "node:crypto";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { expect, test } from "vitest";
import { mcpTools } from "../src/index.ts";
import { callOnce, runTools } from "./run-tools.ts";
import { serveHttp } from "./servers.ts";

type Session = WebStandardStreamableHTTPServerTransport;

/** A server of 2025 over HTTP, with sessions, made with the first SDK. */
async function sessionServer(paid: string[], extra: readonly string[]) {
  const sessions = new Map<string, Session>();
  const open = async (): Promise<Session> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    const server = new McpServer({ name: "old", version: "1.0.0" });
    server.registerTool("pay", {}, () => {
      paid.push("paid");
      return { content: [{ type: "text", text: "paid" }] };
    });
    for (const name of extra) server.registerTool(name, {}, () => ({ content: [] }));
    await server.connect(transport as never);
    return transport;
  };
  const served = await serveHttp(async (request) => {
    const id = request.headers.get("mcp-session-id");
    const session = id === null ? await open() : sessions.get(id);
    return session?.handleRequest(request) ?? new Response("Unknown session.", { status: 404 });
  });
  return { ...served, sessions };
}

test("a server of 2025 over HTTP: a session that it forgot was not called, and the next call has a new one", async () => {
  const paid: string[] = [];
  const extra: string[] = [];
  const served = await sessionServer(paid, extra);
  const mcp = await mcpTools([
    { name: "shop", transport: () => new StreamableHTTPClientTransport(served.url) },
  ]);
  try {
    const pay = callOnce("shop__pay")[0] as never;
    expect((await runTools(mcp, [pay, "Done."])).results[0]?.inDoubt).toBeUndefined();
    expect(paid.length).toBe(1);
    served.sessions.clear();
    extra.push("new");
    const { results } = await runTools(mcp, [pay, pay, "Done."]);
    expect(results.map(({ inDoubt }) => inDoubt)).toEqual([undefined, undefined]);
    expect(results[0]?.result.content).toContain("was not run");
    expect(results[1]?.result.content).toEqual([{ type: "text", text: "paid" }]);
    expect(paid.length).toBe(2);
    expect(mcp.tools.map(({ name }) => name)).toEqual(["shop__pay", "shop__new"]);
  } finally {
    await mcp.close();
    await served.close();
  }
});
