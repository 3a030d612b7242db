import type { Client } from "@modelcontextprotocol/client";
import { type Connection, messageOf } from "./connection.ts";
import type { McpOptions } from "./options.ts";

export interface News {
  /** It has, or may have had some that did not arrive. The list must be read. */
  isDue(): boolean;
  /** Call it before the list is read: later news count. A server of 2026 is subscribed to. */
  expect(client: Client): Promise<void>;
  markDue(): void;
}

/** Without a subscription the list is read before each turn, and `onWarning` gets the reason. */
export function createNews(
  server: string,
  { onWarning }: McpOptions,
  connection: Pick<Connection, "live">,
): News {
  let isDue = true;
  /** The client that read the list, and the one whose news arrive. */
  let seen: Client | undefined;
  let heard: Client | undefined;
  const markDue = (): void => {
    isDue = true;
  };
  const listen = async (client: Client): Promise<void> => {
    if (heard === client) return;
    client.setNotificationHandler("notifications/tools/list_changed", markDue);
    if (client.getProtocolEra() === "modern" && client.autoOpenedSubscription === undefined) {
      const subscription = await client.listen({ toolsListChanged: true });
      void subscription.closed.then(() => {
        heard = undefined;
        markDue();
      });
    }
    heard = client;
  };
  return {
    // Another connection may be one to a server that was updated.
    isDue: () => isDue || seen !== connection.live,
    expect: async (client) => {
      isDue = false;
      seen = client;
      if (!client.getServerCapabilities()?.tools?.listChanged) return;
      try {
        await listen(client);
      } catch (cause) {
        markDue();
        const reason = `The server "${server}" did not take the subscription to news about its tools: ${messageOf(cause)} Its list is read before each turn instead.`;
        onWarning?.(new Error(reason, { cause }));
      }
    },
    markDue,
  };
}
