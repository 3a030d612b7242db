import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest, Agent as SecureAgent } from "node:https";
import { createGate, type Turn, toProviderError } from "@fullstop/core";
import { sse } from "@fullstop/core/adapter";
import { describeBytes } from "../harness/bytes.ts";
import type { ProtocolReader } from "./protocols.ts";
import type { FrontForm, FrontRequest } from "./requests.ts";

/** What a server sent, up to its end. */
export interface ReceivedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Why the transfer did not end cleanly; absent if it did. */
  readonly fault?: string;
  /** The reply did not end in time. */
  readonly timedOut?: true;
  /** The request went over a connection that an earlier one had used. */
  readonly isReused?: boolean;
}

interface SendOptions {
  /** The connection; by default one for this request alone. */
  readonly agent?: Agent | undefined;
  readonly baseURL: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Larger replies are cut. */
const maxReplyBytes = 16 * 1024 * 1024;

/** One connection at a time to a server, for requests that follow each other. */
export const oneConnection = (baseURL: string): Agent =>
  new (baseURL.startsWith("https:") ? SecureAgent : Agent)({ keepAlive: true, maxSockets: 1 });

/**
 * Sends a request, and waits for the end of the reply. A connection that is used again may fail
 * because of the request before.
 */
export async function sendRequest(
  { path, headers, body }: FrontRequest | FrontForm,
  { baseURL, headers: more, timeoutMs, signal, agent }: SendOptions,
): Promise<ReceivedReply> {
  const url = new URL(`${baseURL.replace(/\/$/, "")}${path}`);
  const isForm = body instanceof FormData;
  const encoded = new Response(isForm ? body : JSON.stringify(body));
  const payload = new Uint8Array(await encoded.arrayBuffer());
  const timeout = AbortSignal.timeout(timeoutMs);
  const ending = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  const outgoing = send(url, {
    method: "POST",
    agent: agent ?? false,
    signal: ending,
    headers: {
      "content-type": isForm ? (encoded.headers.get("content-type") ?? "") : "application/json",
      "content-length": payload.length,
      accept: "application/json, text/event-stream",
      "accept-encoding": "identity",
      ...headers,
      ...more,
    },
  });
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once("response", resolve);
      // It stays: a connection that breaks during the reply emits an error here, too.
      outgoing.on("error", reject);
      outgoing.end(payload);
    });
    const received = await receiveReply(response, timeout);
    return { ...received, isReused: outgoing.reusedSocket };
  } catch (thrown) {
    signal?.throwIfAborted();
    return { status: 0, headers: {}, bytes: new Uint8Array(), ...faultOf(thrown, timeout) };
  } finally {
    if (agent === undefined) outgoing.destroy();
  }
}

const faultOf = (
  thrown: unknown,
  timeout: AbortSignal,
): Pick<ReceivedReply, "fault" | "timedOut"> =>
  timeout.aborted
    ? { fault: "the reply did not end in time", timedOut: true }
    : { fault: thrown instanceof Error ? thrown.message : String(thrown) };

async function receiveReply(
  response: IncomingMessage,
  timeout: AbortSignal,
): Promise<ReceivedReply> {
  const pieces: Buffer[] = [];
  let size = 0;
  let fault: Pick<ReceivedReply, "fault" | "timedOut"> = {};
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      pieces.push(piece);
      size += piece.length;
      if (size > maxReplyBytes) throw new Error(`the reply is larger than ${maxReplyBytes} bytes`);
    }
  } catch (thrown) {
    fault = faultOf(thrown, timeout);
  }
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
  );
  return {
    status: response.statusCode ?? 0,
    headers,
    bytes: new Uint8Array(Buffer.concat(pieces)),
    ...fault,
  };
}

export interface HeardReply extends ReceivedReply {
  readonly turn: Turn;
}

const bodyless: ReadonlySet<number> = new Set([204, 205, 304]);

/** Reads a reply with the gate. `body` is the request in the protocol of the reply. */
export async function readReply(
  { reader, parse }: ProtocolReader,
  body: Readonly<Record<string, unknown>>,
  received: ReceivedReply,
): Promise<HeardReply> {
  const { status, headers, bytes, fault } = received;
  const gate = createGate(reader, { body });
  try {
    if (status < 200) throw new TypeError("fetch failed", { cause: new Error(fault) });
    const response = new Response(bodyless.has(status) ? null : bytes, { status, headers });
    for await (const batch of await sse(response, { parse }))
      for (const native of batch) gate.push(native);
    if (fault !== undefined) throw new TypeError("terminated", { cause: new Error(fault) });
  } catch (thrown) {
    gate.fail(toProviderError(thrown, reader));
  }
  return { ...received, turn: gate.end() };
}

/** Everything that a reply says about its end, and the end of its bytes, for a person. */
export function describeReply({ status, fault, bytes }: ReceivedReply): string {
  const head = status === 0 ? "no response" : `status ${status}`;
  return `${head}${fault === undefined ? "" : ` (${fault})`}: ${describeBytes(bytes)}`;
}
