import type { Agent, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { ProviderError } from "@fullstop/core";
import { isFields, parseJson } from "@fullstop/core/adapter";
import { type RawData, WebSocket } from "ws";
import type { Chain, CreateEvent } from "./chain.ts";
import { createInbox, type Inbox, isLast, type ReplyEvent } from "./inbox.ts";

export interface ConnectOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly agent?: Agent | undefined;
  readonly signal: AbortSignal;
}

export interface Connection {
  readonly openedAt: number;
  /** What the server keeps for it. */
  chain: Chain | undefined;
  isOpen(): boolean;
  /** The events of one reply. Throws if the socket is lost before the last one. */
  request(event: CreateEvent, signal: AbortSignal): AsyncGenerator<ReplyEvent>;
  /** Lets the process end although the socket is open, or not. */
  keepAlive(isNeeded: boolean): void;
  close(): void;
}

/** As `sse` has for one event. */
const maxEventBytes = 16 * 1024 * 1024;
/** Reading stops while so many events wait for the reader. */
const maxWaiting = 1000;
const maxBodyBytes = 65_536;

/** Rejects for a refused handshake with the status, the headers and the body, as the SDK does. */
export async function openConnection(options: ConnectOptions): Promise<Connection> {
  const { url, headers, agent, signal } = options;
  signal.throwIfAborted();
  const socket = new WebSocket(url, {
    headers,
    ...(agent && { agent }),
    maxPayload: maxEventBytes,
    perMessageDeflate: false,
  });
  let tcp: Socket | undefined;
  socket.once("upgrade", (response: IncomingMessage) => {
    tcp = response.socket;
  });
  const abort = (): void => socket.terminate();
  signal.addEventListener("abort", abort, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once("open", resolve);
      socket.once("error", reject);
      socket.once("unexpected-response", (request, response) => {
        refusal(response).then(reject, reject);
        response.once("close", () => request.destroy());
      });
    });
  } catch (thrown) {
    // A socket that is closed while it connects reports that once more.
    socket.on("error", () => undefined);
    socket.terminate();
    throw signal.aborted ? signal.reason : thrown;
  } finally {
    signal.removeEventListener("abort", abort);
  }
  return toConnection(socket, tcp);
}

async function refusal(response: IncomingMessage): Promise<Error> {
  let text = "";
  response.setEncoding("utf8");
  for await (const chunk of response as AsyncIterable<string>) {
    text += chunk;
    if (text.length > maxBodyBytes) break;
  }
  const { statusCode: status, statusMessage, headers } = response;
  return Object.assign(new Error(text === "" ? statusMessage : text), {
    status,
    headers,
    error: parseOrKeep(text),
  });
}

function parseOrKeep(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function toConnection(socket: WebSocket, tcp: Socket | undefined): Connection {
  let inbox: Inbox | undefined;
  let lastId: unknown;
  socket.on("message", (data: RawData, isBinary: boolean) => {
    if (inbox === undefined) return;
    try {
      const event = toEvent(data, isBinary);
      if (event === undefined) inbox.end();
      else if (inbox.add(event) >= maxWaiting) socket.pause();
    } catch (thrown) {
      inbox.fail(thrown as Error);
      socket.terminate();
    }
  });
  socket.on("error", (error) => inbox?.fail(lossOf(error)));
  socket.on("close", (code, reason) => inbox?.fail(closedEarly(code, String(reason))));

  async function* request(event: CreateEvent, signal: AbortSignal): AsyncGenerator<ReplyEvent> {
    const own = createInbox(lastId);
    inbox = own;
    const abort = (): void => {
      own.fail(signal.reason as Error);
      socket.terminate();
    };
    signal.addEventListener("abort", abort, { once: true });
    let isReusable = false;
    try {
      if (signal.aborted) abort();
      else socket.send(JSON.stringify(event), (error) => error && own.fail(lossOf(error)));
      for await (const received of own.read(() => socket.isPaused && socket.resume())) {
        if (isLast(received)) {
          inbox = undefined;
          lastId = received.response?.id;
          // After an error the rest of the reply may still arrive.
          isReusable = received.type !== "error" && lastId !== undefined;
        }
        yield received;
        if (isLast(received)) return;
      }
    } finally {
      signal.removeEventListener("abort", abort);
      inbox = undefined;
      if (!isReusable) socket.terminate();
    }
  }
  return {
    openedAt: Date.now(),
    chain: undefined,
    isOpen: () => socket.readyState === WebSocket.OPEN && inbox === undefined,
    request,
    keepAlive: (isNeeded) => void (isNeeded ? tcp?.ref() : tcp?.unref()),
    close: () => socket.terminate(),
  };
}

/** `undefined` for the `[DONE]` that some hosts append. */
function toEvent(data: RawData, isBinary: boolean): ReplyEvent | undefined {
  if (isBinary) throw unreadable("it is binary");
  const text = String(data);
  if (text.trimEnd() === "[DONE]") return undefined;
  let event: unknown;
  try {
    event = parseJson(text);
  } catch (cause) {
    throw unreadable(text.slice(0, 200), cause);
  }
  if (!isFields(event)) throw unreadable(text.slice(0, 200));
  return event;
}

const unreadable = (what: string, cause?: unknown): ProviderError =>
  new ProviderError(`The socket sent a frame that cannot be read: ${what}`, {
    kind: "malformed-reply",
    cause,
  });

const closedEarly = (code: number, reason: string): ProviderError =>
  new ProviderError(
    `The socket closed before the reply ended (code ${code}${reason === "" ? "" : `: ${reason}`}).`,
    { kind: "cut" },
  );

function lossOf(cause: Error & { readonly code?: unknown }): Error {
  if (cause.code !== "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH") return cause;
  return new ProviderError(
    `One event of the reply is larger than ${maxEventBytes} bytes; reading stopped.`,
    { kind: "too-large", cause },
  );
}
