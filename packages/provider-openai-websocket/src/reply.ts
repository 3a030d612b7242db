import { type Fields, fieldsOf } from "@fullstop/core/adapter";
import type { CreateEvent } from "./chain.ts";
import { type Chain, chainAfter, knownItems } from "./chain.ts";
import type { Connection } from "./connection.ts";
import type { ReplyEvent } from "./inbox.ts";
import type { Pool } from "./pool.ts";

export type Connect = (
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<Connection>;

export interface Sending {
  readonly pool: Pool;
  readonly connect: Connect;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * The server refuses the request before it begins, because of the socket that carries it. Its advice
 * is to send the whole input over a new socket.
 * https://developers.openai.com/api/docs/guides/websocket-mode, Effect-TS/effect#8355
 */
const refusedForSocket: ReadonlySet<unknown> = new Set([
  "previous_response_not_found",
  "websocket_connection_limit_reached",
]);
const isRefusedForSocket = ({ type, error }: ReplyEvent): boolean =>
  type === "error" && refusedForSocket.has(fieldsOf(error)["code"]);

export async function* readReply(event: CreateEvent, sending: Sending): AsyncGenerator<ReplyEvent> {
  const { pool, connect, headers, signal } = sending;
  const unused = pool.take(keyOf(headers), event);
  let needsNew = unused === undefined;
  if (unused !== undefined) {
    let hasBegun = false;
    for await (const received of readOver(unused, event, sending)) {
      needsNew = !hasBegun && isRefusedForSocket(received);
      if (needsNew) break;
      hasBegun = true;
      yield received;
    }
  }
  if (needsNew) yield* readOver(pool.add(await connect(headers, signal)), event, sending);
}

const keyOf = (headers: Sending["headers"]): string => JSON.stringify(headers);

async function* readOver(
  connection: Connection,
  event: CreateEvent,
  { pool, headers, signal }: Sending,
): AsyncGenerator<ReplyEvent> {
  const { chain } = connection;
  connection.chain = undefined;
  try {
    for await (const received of connection.request(toSend(event, chain), signal)) {
      connection.chain = chainAfter(event, received);
      yield received;
    }
  } finally {
    pool.give(connection, keyOf(headers));
  }
}

function toSend(event: CreateEvent, chain: Chain | undefined): CreateEvent {
  const known = chain && knownItems(chain, event);
  if (chain === undefined || known === undefined || !Array.isArray(event.input)) return event;
  return { ...event, previous_response_id: chain.responseId, input: event.input.slice(known) };
}

/** Waits for the first event. If that is an error, the request failed, as with an HTTP status. */
export async function throwEarlyError(
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
  const { message } = fieldsOf(error);
  return Object.assign(new Error(typeof message === "string" ? message : JSON.stringify(error)), {
    status,
    error,
    headers: headerTexts(fieldsOf(headers)),
  });
}

const headerTexts = (fields: Fields): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
