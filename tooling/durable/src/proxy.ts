import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP proxy that can cut what goes through it. */
export interface CuttingProxy {
  readonly port: number;
  /** Ends all connections at once. */
  cut(): void;
  /** Keeps the next answer of the server from its client, and cuts the connection then. */
  loseAnswer(): void;
  close(): void;
}

export async function startProxy(target: () => number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let isLosing = false;
  const destroyAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    const upstream = connect(target(), "127.0.0.1");
    const destroy = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", destroy).on("close", () => {
        sockets.delete(socket);
        destroy();
      });
    }
    client.on("data", (piece) => upstream.write(piece));
    upstream.on("data", (piece) => {
      if (!isLosing) return client.write(piece);
      isLosing = false;
      return destroyAll();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    cut: destroyAll,
    loseAnswer: () => {
      isLosing = true;
    },
    close: () => {
      server.close();
      destroyAll();
    },
  };
}
