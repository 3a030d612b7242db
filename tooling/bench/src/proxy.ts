// A proxy in front of a provider, in a process of its own, as in production. The arguments are its
// name and the URL of the provider. The process sends its port, and then its CPU time when it is asked.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGateway, createUpstreamFetch, startServer } from "@fullstop/gateway";
import type { ProxyName } from "./proxies.ts";

const [, , proxyName = "", providerURL = ""] = process.argv;

const starts: Readonly<Record<ProxyName, () => Promise<number>>> = {
  proxy: async () => {
    const server = createServer(async (request, outgoing) => {
      const { method = "", url = "" } = request;
      const headers = { "content-type": request.headers["content-type"] ?? "" };
      const body = Readable.toWeb(request) as ReadableStream<Uint8Array<ArrayBuffer>>;
      const init = { method, headers, body, duplex: "half" };
      const reply = await fetch(providerURL + url, init);
      outgoing.writeHead(reply.status, { "content-type": reply.headers.get("content-type") ?? "" });
      if (reply.body === null) outgoing.end();
      else await pipeline(reply.body, outgoing);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return (server.address() as AddressInfo).port;
  },
  gateway: async () => {
    const handler = createGateway({
      routes: { provider: { url: providerURL } },
      fetch: createUpstreamFetch({ silenceMs: 300_000 }),
    });
    return (await startServer({ handler, port: 0 })).port;
  },
};

process.send?.(await starts[proxyName as ProxyName]());
process.on("message", () => process.send?.(process.cpuUsage()));
process.on("disconnect", () => process.exit());
