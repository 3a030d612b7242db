import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ports that Linux gives to outgoing connections (`ip_local_port_range`). With a port of
 * that range, a client that tries to reach a stopped server can connect to itself, and the server
 * cannot start again.
 */
const first = 20_000;
const last = 32_000;

/** A port of the loopback on which nothing listens. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = first + Math.floor(Math.random() * (last - first));
    const server = createServer();
    try {
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
      return port;
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== "EADDRINUSE") throw thrown;
    } finally {
      server.close();
    }
  }
}
