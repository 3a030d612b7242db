import { ProviderError } from "@fullstop/core";
import type { CreateEvent } from "./chain.ts";
import { knownItems } from "./chain.ts";
import type { Connection } from "./connection.ts";

export interface Pool {
  /** The unused socket that knows the most of the request. @throws ProviderError after `close`. */
  take(headers: string, event: CreateEvent): Connection | undefined;
  /** Adds a socket in use. @throws ProviderError after `close`, and closes the socket. */
  add(connection: Connection): Connection;
  give(connection: Connection, headers: string): void;
  close(): void;
}

/** It is closed after 60 minutes. https://developers.openai.com/api/docs/guides/websocket-mode */
const maxAgeMs = 55 * 60_000;
/** More unused sockets are closed, the oldest first. */
const maxUnused = 8;

interface Unused {
  readonly headers: string;
  readonly timer: NodeJS.Timeout;
}

/** `idleMs`: how long an unused socket stays open, in milliseconds. */
export function createPool(idleMs: number): Pool {
  const open = new Set<Connection>();
  const unused = new Map<Connection, Unused>();
  let isClosed = false;
  const assertOpen = (): void => {
    if (isClosed)
      throw new ProviderError(
        "The client of the sockets was closed. Make another one with `responsesSocket`.",
        { kind: "invalid-request" },
      );
  };
  const use = (connection: Connection): void => {
    clearTimeout(unused.get(connection)?.timer);
    unused.delete(connection);
  };
  const drop = (connection: Connection): void => {
    use(connection);
    open.delete(connection);
    connection.close();
  };
  const isUsable = (connection: Connection): boolean =>
    connection.isOpen() && Date.now() - connection.openedAt < maxAgeMs;

  return {
    take: (headers, event) => {
      assertOpen();
      for (const connection of unused.keys()) if (!isUsable(connection)) drop(connection);
      const fit = [...unused].filter(([, entry]) => entry.headers === headers);
      const best = fit
        .map(([connection]) => ({ connection, known: knownBy(connection, event) }))
        .sort((one, other) => other.known - one.known)[0]?.connection;
      if (best === undefined) return undefined;
      use(best);
      best.keepAlive(true);
      return best;
    },
    add: (connection) => {
      if (isClosed) connection.close();
      assertOpen();
      open.add(connection);
      return connection;
    },
    give: (connection, headers) => {
      if (!open.has(connection) || !connection.isOpen()) return drop(connection);
      connection.keepAlive(false);
      const timer = setTimeout(() => drop(connection), Math.min(idleMs, maxAgeMs));
      timer.unref();
      unused.set(connection, { headers, timer });
      for (const oldest of [...unused.keys()].slice(0, -maxUnused)) drop(oldest);
    },
    close: () => {
      isClosed = true;
      for (const connection of open) drop(connection);
    },
  };
}

/** A socket without a chain comes before one whose chain another request may continue. */
const knownBy = ({ chain }: Connection, event: CreateEvent): number =>
  chain === undefined ? 0 : (knownItems(chain, event) ?? -1);
