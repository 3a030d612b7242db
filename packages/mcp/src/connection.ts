import { redactThrown } from "@fullstop/core/adapter";
import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import type { McpOptions, ToolServer } from "./options.ts";

export interface Connection {
  /** The client, which connects first if it is not connected. */
  client(): Promise<Client>;
  readonly live: Client | undefined;
  /** The next call connects again. Calls that are under way keep the old connection. */
  forget(): void;
  /** Ends the connections that were made here. There is none after it. */
  close(): Promise<void>;
}

export type Prepare = (client: Client) => void;

const defaultClientInfo = { name: "fullstop", version: "1.0.0" };

/** The SDK must not answer the questions of a server, because the run may have to wait. */
const clientOptions: ClientOptions = {
  capabilities: { elicitation: { form: {}, url: {} } },
  versionNegotiation: { mode: "auto" },
  inputRequired: { autoFulfill: false },
};

/** Nothing is connected before the first `client()`. */
export function connectionTo(
  server: ToolServer,
  options: McpOptions,
  prepare: Prepare,
): Connection {
  const { name, client: given, transport: makeTransport, connectTimeoutMs = 60_000 } = server;
  if (makeTransport === undefined) return givenConnection(name, given as Client);
  const all = new Set<Client>();
  let live: Client | undefined;
  let opening: Promise<Client> | undefined;
  let isClosed = false;
  const forget = (): void => {
    live = undefined;
    opening = undefined;
  };
  const open = async (): Promise<Client> => {
    const client = new Client(options.clientInfo ?? defaultClientInfo, clientOptions);
    prepare(client);
    all.add(client);
    client.onclose = () => {
      all.delete(client);
      if (live === client) forget();
    };
    try {
      await client.connect(makeTransport(), { timeout: connectTimeoutMs });
      // Its `onclose` came before the handshake had ended, and does not come again.
      if (client.transport === undefined) throw new Error("The connection was closed at once.");
    } catch (thrown) {
      // The error of `fetch` shows the whole address.
      const cause = redactThrown(thrown, []);
      // A process or a socket that was opened does not outlive a failure.
      await client.close().catch(() => undefined);
      all.delete(client);
      forget();
      throw new NotConnected(`The server "${name}" cannot be reached: ${causeOf(cause)}`, {
        cause,
      });
    }
    live = client;
    return client;
  };
  return {
    client: async () => {
      if (isClosed) throw new NotConnected(`The connection to the server "${name}" was closed.`);
      opening ??= open();
      return opening;
    },
    get live() {
      return live;
    },
    forget,
    close: async () => {
      isClosed = true;
      await Promise.all([...all].map((client) => client.close()));
    },
  };
}

/** A client that the caller connected is neither connected again nor closed. */
const givenConnection = (name: string, client: Client): Connection => ({
  client: async () => {
    if (client.transport !== undefined) return client;
    throw new NotConnected(
      `The client of the server "${name}" is not connected. Connect it, or give \`transport\` instead of \`client\`, which connects again by itself.`,
    );
  },
  get live() {
    return client.transport && client;
  },
  forget: () => undefined,
  close: async () => undefined,
});

/** Nothing was sent, because the connection is missing. */
export class NotConnected extends Error {
  override readonly name = "NotConnected";
}

export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

/** The message of the first cause: that of the SDK says only that a step of its own failed. */
function causeOf(thrown: unknown): string {
  const { cause, data } = thrown as { readonly cause?: unknown; readonly data?: typeof thrown };
  const deeper = cause ?? (data as { readonly cause?: unknown } | undefined)?.cause;
  return deeper === undefined ? describeCause(thrown) : causeOf(deeper);
}

/** Node reports a missing working directory in the same way. */
const describeCause = (thrown: unknown): string => {
  const [, command] = /^spawn (.+) ENOENT$/.exec(messageOf(thrown)) ?? [];
  return command === undefined
    ? messageOf(thrown)
    : `the command "${command}" was not found. Check its name, the variable PATH and \`cwd\`.`;
};
