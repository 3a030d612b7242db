import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import type { McpOptions, ToolServer } from "./options.ts";

/** The connection to one server. */
export interface Connection {
  /** The client, which connects first if it is not connected. */
  client(signal?: AbortSignal): Promise<Client>;
  /** The server has news about its tools, or may have had some while the connection was lost. */
  readonly isStale: boolean;
  /** Call it before the list is read, so that news during the reading count again. */
  markFresh(): void;
  markStale(): void;
  /** The next call connects again. Calls that are under way keep the old connection. */
  forget(): void;
  close(): Promise<void>;
}

/** Sets the handlers of a client before it connects. */
export type Prepare = (client: Client) => void;

const defaultClientInfo = { name: "fullstop", version: "1.0.0" };

/**
 * Tries the protocol of 2026 first, and falls back to that of 2025. The SDK does not answer the
 * questions of a server by itself: the package does, because the run may have to wait.
 */
const clientOptions = ({ sampling }: McpOptions): ClientOptions => ({
  capabilities: { elicitation: { form: {}, url: {} }, ...(sampling && { sampling: {} }) },
  versionNegotiation: { mode: "auto" },
  inputRequired: { autoFulfill: false },
});

/** Nothing is connected before the first `client()`. */
export function connectionTo(
  server: ToolServer,
  options: McpOptions,
  prepare: Prepare,
): Connection {
  const all = new Set<Client>();
  let opened: Promise<Client> | undefined;
  let isStale = true;
  const markStale = (): void => {
    isStale = true;
  };
  const open = async (signal: AbortSignal | undefined): Promise<Client> => {
    const client =
      server.client ?? new Client(options.clientInfo ?? defaultClientInfo, clientOptions(options));
    if (server.transport !== undefined) {
      prepare(client);
      all.add(client);
      await client.connect(server.transport(), signal && { signal });
      client.onclose = () => {
        all.delete(client);
        if (current === client) forget();
      };
      current = client;
    }
    await watchList(client, markStale);
    return client;
  };
  let current: Client | undefined;
  const forget = (): void => {
    if (server.client !== undefined) return;
    current = undefined;
    opened = undefined;
    markStale();
  };
  return {
    client: async (signal) => {
      assertOpen(server);
      opened ??= open(signal);
      try {
        return await opened;
      } catch (cause) {
        opened = undefined;
        throw new NotConnected(
          `The server "${server.name}" cannot be reached: ${messageOf(cause)}`,
          { cause },
        );
      }
    },
    get isStale() {
      return isStale;
    },
    markFresh: () => {
      isStale = false;
    },
    markStale,
    forget,
    close: async () => {
      opened = undefined;
      await Promise.all([...all].map((client) => client.close()));
    },
  };
}

/** Nothing was sent, because there is no connection. */
export class NotConnected extends Error {
  override readonly name = "NotConnected";
}

/** A client that the caller connected is not connected again. */
function assertOpen({ name, client }: ToolServer): void {
  if (client !== undefined && client.transport === undefined)
    throw new NotConnected(
      `The client of the server "${name}" is not connected. Connect it, or give \`transport\` instead of \`client\`, which connects again by itself.`,
    );
}

/** In the protocol of 2026 a client has to subscribe to news. */
async function watchList(client: Client, onNews: () => void): Promise<void> {
  if (!client.getServerCapabilities()?.tools?.listChanged) return;
  client.setNotificationHandler("notifications/tools/list_changed", onNews);
  if (client.getProtocolEra() !== "modern" || client.autoOpenedSubscription !== undefined) return;
  const subscription = await client.listen({ toolsListChanged: true });
  void subscription.closed.then(onNews);
}

/** The message of what was thrown. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
