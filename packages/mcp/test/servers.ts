import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { InMemoryTransport as OldInMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server as OldServer } from "@modelcontextprotocol/sdk/server/index.js";
import { McpServer as OldMcpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";

/** A server on the loopback. */
export interface Served {
  readonly url: URL;
  readonly http: HttpServer;
  close(): Promise<void>;
}

/** Serves a fetch handler on the loopback until `close`. */
export async function serveHttp(handle: (request: Request) => Promise<Response>): Promise<Served> {
  const http = createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await incoming.toArray());
    const aborted = new AbortController();
    outgoing.on("close", () => aborted.abort());
    const response = await handle(
      new Request(`http://127.0.0.1${incoming.url}`, {
        method: incoming.method ?? "GET",
        headers: incoming.headers as Record<string, string>,
        signal: aborted.signal,
        ...(body.length > 0 && { body }),
      }),
    );
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.flushHeaders();
    if (response.body === null) outgoing.end();
    else
      Readable.fromWeb(response.body as never)
        .on("error", () => outgoing.destroy())
        .pipe(outgoing);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    http,
    close: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

/** A server of the protocol of 2026, over a real socket. */
export async function modernServer(setUp: (server: McpServer) => void): Promise<
  Served & {
    /** The next answer to `tools/list` is another one. */
    readonly announce: () => void;
    readonly transport: () => Transport;
  }
> {
  const handler = createMcpHandler(
    () => {
      const server = new McpServer(
        { name: "modern", version: "1.0.0" },
        { capabilities: { tools: { listChanged: true } } },
      );
      setUp(server);
      return server;
    },
    { legacy: "reject" },
  );
  const served = await serveHttp((request) => handler.fetch(request));
  return {
    ...served,
    announce: () => handler.notify.toolsChanged(),
    transport: () => new StreamableHTTPClientTransport(served.url),
  };
}

/** A server of 2025 that says exactly this about its tools, and answers a call with `call`. */
export function rawServer(
  tools: readonly Tool[],
  call: (name: string) => object,
  onServer: (server: OldServer) => void = () => undefined,
): () => Transport {
  return () => {
    const [ours, theirs] = OldInMemoryTransport.createLinkedPair();
    const capabilities = { tools: { listChanged: true } };
    const server = new OldServer({ name: "old", version: "1.0.0" }, { capabilities });
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...tools] }));
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => call(params.name));
    onServer(server);
    void server.connect(theirs);
    return ours as unknown as Transport;
  };
}

/** A server of 2025 that has a tool of each of these names; each answers its own name as JSON. */
export const namingServer = (names: readonly string[]): (() => Transport) =>
  rawServer(
    names.map((name) => ({ name, inputSchema: { type: "object" } })),
    (name) => ({ content: [{ type: "text", text: JSON.stringify(name) }] }),
  );

/** A server of the protocol of 2025, in this process, made with the first SDK. */
export function oldServer(setUp: (server: OldMcpServer) => void): {
  readonly transport: () => Transport;
  readonly servers: OldMcpServer[];
} {
  const servers: OldMcpServer[] = [];
  const transport = (): Transport => {
    const [ours, theirs] = OldInMemoryTransport.createLinkedPair();
    const server = new OldMcpServer({ name: "old", version: "1.0.0" });
    setUp(server);
    servers.push(server);
    void server.connect(theirs);
    return ours as unknown as Transport;
  };
  return { transport, servers };
}
