import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { inspect } from "node:util";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import { mcpTools } from "../src/index.ts";
import { callOnce, runTools } from "./run-tools.ts";
import { rawServer, serveHttp } from "./servers.ts";

const inputSchema = { type: "object" as const };
const call = callOnce("any__get")[0] as never;

test("a server that never answers is given up after `connectTimeoutMs`, over stdio and over HTTP", async () => {
  const served = await serveHttp(() => new Promise(() => undefined));
  const silent = { command: process.execPath, args: ["-e", "process.stdin.resume()"] };
  const transports = [
    () => new StdioClientTransport(silent),
    () => new StreamableHTTPClientTransport(served.url),
  ];
  for (const transport of transports)
    await expect(mcpTools([{ name: "any", transport, connectTimeoutMs: 100 }])).rejects.toThrow(
      'The server "any" cannot be reached',
    );
  await served.close();
});

test("the error about a server that is not there has the reason of the system", async () => {
  const closed = createServer().listen(0, "127.0.0.1");
  await once(closed, "listening");
  const { port } = closed.address() as AddressInfo;
  closed.close();
  const transports = {
    'the command "no-such-server" was not found': () =>
      new StdioClientTransport({ command: "no-such-server" }),
    [`connect ECONNREFUSED 127.0.0.1:${port}`]: () =>
      new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)),
  };
  for (const [reason, transport] of Object.entries(transports))
    await expect(mcpTools([{ name: "any", transport }])).rejects.toThrow(
      `The server "any" cannot be reached: ${reason}`,
    );
  await expect(mcpTools({ name: "any" } as never)).rejects.toThrow("must be a list of servers");
});

test("the error about an address does not show its password", async () => {
  const url = new URL("http://user:pass-word-1@127.0.0.1:1/mcp");
  const transport = () => new StreamableHTTPClientTransport(url);
  const refused = await mcpTools([{ name: "any", transport }]).catch((thrown: unknown) => thrown);
  expect(inspect(refused, { depth: 10 })).toContain("user:[redacted]@");
  expect(inspect(refused, { depth: 10 })).not.toContain("pass-word-1");
});

test("a server that closes the connection after the handshake was not called, and is connected to again", async () => {
  const servers: Server[] = [];
  const transport = rawServer(
    [{ name: "get", inputSchema }],
    () => ({ content: [{ type: "text", text: "got" }] }),
    (server) => {
      if (servers.push(server) === 2) server.oninitialized = () => void server.close();
    },
  );
  const warnings: string[] = [];
  const onWarning = ({ message }: Error): void => void warnings.push(message);
  const mcp = await mcpTools([{ name: "any", transport }], { onWarning });
  await servers[0]?.close();
  // The second connection is closed at once, so the third is used.
  const { results } = await runTools(mcp, [call, call, "Done."]);
  expect(results.map(({ inDoubt }) => inDoubt)).toEqual([undefined, undefined]);
  expect(results.at(-1)?.result.content).toEqual([{ type: "text", text: "got" }]);
  expect(warnings).toEqual([expect.stringContaining("connection was closed at once")]);
  expect(servers.length).toBe(3);
  await mcp.close();
});

test("a server whose list cannot be read is named", async () => {
  let page = 0;
  const lists = {
    "ends while it is asked": (server: Server) => {
      server.setRequestHandler(ListToolsRequestSchema, async () => {
        await server.close();
        return { tools: [] };
      });
    },
    "is refused": (server: Server) => {
      server.setRequestHandler(ListToolsRequestSchema, () => {
        throw new Error("no permission");
      });
    },
    "has no last page": (server: Server) => {
      server.setRequestHandler(ListToolsRequestSchema, () => ({
        tools: [],
        nextCursor: String(++page),
      }));
    },
  };
  for (const [what, setUp] of Object.entries(lists)) {
    const transport = rawServer([], () => ({}), setUp);
    const reason = what === "is refused" ? ".*no permission" : "";
    await expect(mcpTools([{ name: "any", transport }]), what).rejects.toThrow(
      new RegExp(`^The tools of the server "any" cannot be listed: ${reason}`),
    );
  }
});
