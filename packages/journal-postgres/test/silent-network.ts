import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to a server that can stop to carry anything, without a word to either side. */
export interface Network {
  readonly url: string;
  /** From now on, no byte arrives. Connections stay open, and new ones are accepted. */
  fallSilent(): void;
  /** From now on, bytes arrive again, on new connections only. */
  recover(): void;
  close(): Promise<void>;
}

/** Passes connections on to the server of this URL. */
export async function openNetwork(url: string): Promise<Network> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let isSilent = false;
  const server = createServer((client) => {
    sockets.add(client);
    client.on("error", () => {}); // the pool closes connections without an answer
    if (isSilent) return;
    const upstream = connect(Number(target.port), target.hostname);
    sockets.add(upstream);
    upstream.on("error", () => client.destroy());
    client.on("data", (bytes) => isSilent || upstream.write(bytes));
    upstream.on("data", (bytes) => isSilent || client.write(bytes));
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => isSilent || client.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
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
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
