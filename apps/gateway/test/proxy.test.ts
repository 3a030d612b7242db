import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createUpstreamFetch } from "@fullstop/gateway";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

const servers: Server[] = [];
/** Returns the port. */
async function listen(server: Server, host: string): Promise<number> {
  servers.push(server.listen(0, host));
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
let tunnels: (string | undefined)[] = [];
beforeEach(async () => {
  tunnels = [];
  const proxy = createServer().on("connect", ({ url }, socket) => {
    tunnels.push(url);
    socket.end("HTTP/1.1 503 Closed\r\n\r\n");
  });
  vi.stubEnv("HTTP_PROXY", `http://127.0.0.1:${await listen(proxy, "127.0.0.1")}`);
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});
const send = (url: string): Promise<Response> => createUpstreamFetch({ silenceMs: 60_000 })(url);

describe("a proxy of the environment", () => {
  test("is used for a host that NO_PROXY does not name", async () => {
    vi.stubEnv("NO_PROXY", "other.invalid");
    await expect(send("http://host.invalid/")).rejects.toThrow();
    expect(tunnels).toEqual(["host.invalid:80"]);
  });
  test.each(["*", " * ", ".invalid"])("is not used with NO_PROXY=%j", async (hosts) => {
    vi.stubEnv("NO_PROXY", hosts);
    await expect(send("http://host.invalid/")).rejects.toThrow();
    expect(tunnels).toEqual([]);
  });
  test.each([
    ["127.0.0.1", "127.0.0.1"],
    ["::1", "[::1]"],
  ])("is not used for this machine: %s", async (host, name) => {
    const port = await listen(
      createServer((_, response) => response.end("here")),
      host,
    );
    expect(await (await send(`http://${name}:${port}/`)).text()).toBe("here");
    expect(tunnels).toEqual([]);
  });
});
