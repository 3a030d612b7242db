import type { Agent } from "node:http";
import { ProviderError } from "@fullstop/core";
import type { ResponsesClient } from "../responses/adapter.ts";
import { type Chain, chainAfter, knownItems } from "./chain.ts";
import { type Connection, openConnection } from "./connection.ts";
import type { CreateEvent, ReplyEvent } from "./events.ts";
import { createPool, type Pool } from "./pool.ts";

/** How the sockets are opened. */
export interface ResponsesSocketOptions {
  /** `https://api.openai.com/v1` by default. The protocol may also be `ws:` or `wss:`. */
  readonly baseURL?: string | undefined;
  /** By default the key in `OPENAI_API_KEY`. */
  readonly apiKey?: string | undefined;
  /** Sent with each handshake. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Of `node:http` or `node:https`, for a proxy. */
  readonly agent?: Agent | undefined;
  /** How long an unused socket stays open, in milliseconds. 300,000 by default. */
  readonly idleMs?: number | undefined;
}

/**
 * A client of the Responses API over WebSocket, for the option `client` of `openai()`. Several
 * adapters and runs may share it: each reply in flight has a socket of its own, and a conversation
 * returns to the socket that knows it.
 */
export interface ResponsesSocket extends ResponsesClient {
  readonly baseURL: string;
  readonly apiKey: string | undefined;
  /** Ends all sockets. Replies in flight are interrupted. */
  close(): void;
}

/**
 * Makes a client that sends requests over WebSocket. A request that continues the last reply of a
 * socket sends only its new items. Opens no socket before the first request, and retries nothing.
 * https://developers.openai.com/api/docs/guides/websocket-mode
 * @throws TypeError if `baseURL` is not a URL.
 */
export function responsesSocket(options: ResponsesSocketOptions = {}): ResponsesSocket {
  const { baseURL = "https://api.openai.com/v1", idleMs = 300_000, agent } = options;
  const apiKey = options.apiKey ?? globalThis.process?.env["OPENAI_API_KEY"];
  const url = socketURL(baseURL);
  const pool = createPool(idleMs);
  const connect: Connect = (headers, signal) => openConnection({ url, headers, agent, signal });
  return {
    baseURL,
    apiKey,
    responses: {
      create: (params, { signal, headers }) => {
        const { stream: _stream, background: _background, ...body } = params;
        const event = { ...body, type: "response.create" } as CreateEvent;
        const sent = {
          ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
          ...options.headers,
          ...headers,
        };
        if (!("authorization" in sent || "api-key" in sent)) return Promise.reject(missingKey());
        return throwEarlyError(readReply(event, { pool, connect, headers: sent, signal }));
      },
    },
    close: pool.close,
  };
}

const missingKey = (): ProviderError =>
  new ProviderError("No API key for the socket: pass `apiKey`, or set OPENAI_API_KEY.", {
    kind: "auth",
  });

type Connect = (
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<Connection>;
interface Sending {
  readonly pool: Pool;
  readonly connect: Connect;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

async function* readReply(
  event: CreateEvent,
  { pool, connect, headers, signal }: Sending,
): AsyncGenerator<ReplyEvent> {
  const key = JSON.stringify(headers);
  const connection = pool.take(key, event) ?? pool.add(await connect(headers, signal));
  const { chain } = connection;
  connection.chain = undefined;
  try {
    for await (const received of connection.request(toSend(event, chain), signal)) {
      connection.chain = chainAfter(event, received);
      yield received;
    }
  } finally {
    pool.give(connection, key);
  }
}

/** Without the items that the server knows. */
function toSend(event: CreateEvent, chain: Chain | undefined): CreateEvent {
  const known = chain && knownItems(chain, event);
  if (chain === undefined || known === undefined || !Array.isArray(event.input)) return event;
  return { ...event, previous_response_id: chain.responseId, input: event.input.slice(known) };
}

/** Waits for the first event. If that is an error, the request failed, as with an HTTP status. */
async function throwEarlyError(
  events: AsyncGenerator<ReplyEvent>,
): Promise<AsyncIterable<ReplyEvent>> {
  const first = await events.next();
  if (!first.done && first.value.type === "error" && typeof first.value.status === "number") {
    await events.next();
    throw failureOf(first.value);
  }
  return {
    [Symbol.asyncIterator]: async function* () {
      if (!first.done) yield first.value;
      yield* events;
    },
  };
}

function failureOf({ status, error, headers }: ReplyEvent): Error {
  const message = (error as { readonly message?: unknown } | undefined)?.message;
  return Object.assign(new Error(typeof message === "string" ? message : JSON.stringify(error)), {
    status,
    error,
    headers: new Headers((headers ?? {}) as Record<string, string>),
  });
}

function socketURL(baseURL: string): string {
  const url = new URL(`${baseURL.replace(/\/+$/, "")}/responses`);
  url.protocol = url.protocol.replace(/^http/, "ws");
  return url.href;
}
