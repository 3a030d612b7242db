import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to a server that can stop to carry anything, without a word to either side. */
export interface Network {
  readonly url: string;
  /** From now on, no byte arrives. Connections stay open, and new ones are accepted. */
  fallSilent(): void;
  /** From now on, bytes arrive again, on new connections only. */
  recover(): void;
  /** Waits until a client has sent something that did not arrive. */
  untilHeld(): Promise<void>;
  /** The server gets what was held back, and has worked on it. The clients get no answer. */
  deliverHeld(): Promise<void>;
  /** Ends each connection. */
  cut(): void;
  close(): Promise<void>;
}

/** A connection to the server, and what it did not carry. */
interface Way {
  readonly upstream: Socket;
  readonly held: Buffer[];
}

/** Passes connections on to the server of this URL. */
export async function openNetwork(url: string): Promise<Network> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const silenced = new Set<Way>();
  let isSilent = false;
  const server = createServer((client) => {
    sockets.add(client);
    client.on("error", () => {}); // the pool closes connections without an answer
    if (isSilent) return;
    const upstream = connect(Number(target.port), target.hostname);
    sockets.add(upstream);
    const way: Way = { upstream, held: [] };
    upstream.on("error", () => client.destroy());
    client.on("data", (bytes: Buffer) => {
      if (isSilent) silenced.add(way);
      if (silenced.has(way)) way.held.push(bytes);
      else upstream.write(bytes);
    });
    upstream.on("data", (bytes) => silenced.has(way) || isSilent || client.write(bytes));
    client.on("close", () => silenced.has(way) || upstream.destroy());
    upstream.on("close", () => silenced.has(way) || client.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const through = new URL(url);
  through.port = String((server.address() as AddressInfo).port);
  return {
    url: through.href,
    fallSilent: () => {
      isSilent = true;
    },
    recover: () => {
      isSilent = false;
    },
    untilHeld: async () => {
      while (silenced.size === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    },
    deliverHeld: async () => {
      for (const { upstream, held } of silenced) {
        upstream.end(Buffer.concat(held));
        await once(upstream, "close");
      }
    },
    cut,
    close: async () => {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
