import type { Agent } from "node:http";
import { ProviderError } from "@fullstop/core";
import {
  anyObject,
  anyText,
  checkAdapterOptions,
  type OptionKinds,
  positiveNumber,
} from "@fullstop/core/adapter";
import type { ResponsesClient } from "@fullstop/provider-openai/protocol";
import type { CreateEvent } from "./chain.ts";
import { openConnection } from "./connection.ts";
import { createPool } from "./pool.ts";
import { type Connect, readReply, throwEarlyError } from "./reply.ts";

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
  /**
   * How long an unused socket stays open, in milliseconds. 300,000 by default, and 55 minutes at
   * most.
   */
  readonly idleMs?: number | undefined;
}

const socketKinds: OptionKinds<Required<ResponsesSocketOptions>> = {
  baseURL: anyText,
  apiKey: anyText,
  headers: anyObject,
  agent: anyObject,
  idleMs: positiveNumber,
};

/**
 * A client of the Responses API over WebSocket, for the option `client` of `openai()`. Several
 * adapters and runs may share it: each reply in flight has a socket of its own, and a conversation
 * returns to the socket that knows it.
 */
export interface ResponsesSocket extends ResponsesClient {
  readonly baseURL: string;
  readonly apiKey: string | undefined;
  /** Those of the options. No error of the adapter contains their values. */
  readonly headers: Readonly<Record<string, string>>;
  /** Ends all sockets. Replies in flight are interrupted, and later requests are errors. */
  close(): void;
}

/**
 * Makes a client that sends requests over WebSocket. A request that continues the last reply of a
 * socket sends only its new items. If the server refuses it because it no longer knows that reply,
 * or because the socket is too old, it is sent whole over a new socket. Nothing else is sent again.
 * Opens no socket before the first request.
 * https://developers.openai.com/api/docs/guides/websocket-mode
 * @throws TypeError or RangeError for options that cannot work. The message names the option.
 */
export function responsesSocket(options: ResponsesSocketOptions = {}): ResponsesSocket {
  checkAdapterOptions(options, socketKinds, "responsesSocket");
  const { baseURL = "https://api.openai.com/v1", idleMs = 300_000, agent } = options;
  const apiKey = options.apiKey ?? globalThis.process?.env["OPENAI_API_KEY"];
  const url = socketURL(baseURL);
  const pool = createPool(idleMs);
  const connect: Connect = (headers, signal) => openConnection({ url, headers, agent, signal });
  return {
    baseURL,
    apiKey,
    headers: { ...options.headers },
    responses: {
      create: async (params, { signal, headers }) => {
        const { stream: _stream, background: _background, ...body } = params;
        const event = { ...body, type: "response.create" } as CreateEvent;
        const sent = joinHeaders(
          apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
          options.headers,
          headers,
        );
        if (!("authorization" in sent || "api-key" in sent)) throw missingKey();
        return throwEarlyError(readReply(event, { pool, connect, headers: sent, signal }));
      },
    },
    close: pool.close,
  };
}

/** The last value of a name counts. Names are in small letters. */
function joinHeaders(
  ...groups: readonly (ResponsesSocketOptions["headers"] | undefined)[]
): Readonly<Record<string, string>> {
  const entries = groups.flatMap((group) => Object.entries(group ?? {}));
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
}

const missingKey = (): ProviderError =>
  new ProviderError("No API key for the socket: pass `apiKey`, or set OPENAI_API_KEY.", {
    kind: "auth",
  });

function socketURL(baseURL: string): string {
  const text = `${baseURL.replace(/(?<!\/)\/+$/, "")}/responses`.replace(/^http/i, "ws");
  if (!/^wss?:/i.test(text) || !URL.canParse(text))
    throw new TypeError("`baseURL` is not a URL that begins with http, https, ws or wss.");
  return text;
}
