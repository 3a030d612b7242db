import { type ServerResponse, STATUS_CODES } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { replyIdHeader } from "@fullstop/guard";

/** How the reply to a client ended. */
export type ReplyEnd =
  /** All of it was sent. */
  | "complete"
  /** The reply broke, and so did the connection to the client. */
  | "broken"
  /** The client closed the connection. */
  | "client-gone";

/** The time that a client has to read an error before its connection breaks, in milliseconds. */
const breakDelayMs = 50;

/** Sends a reply with its id, as fast as the client reads it. Never rejects. */
export async function sendResponse(
  { status, statusText, headers, body }: Response,
  outgoing: ServerResponse,
  replyId: string,
): Promise<ReplyEnd> {
  if (outgoing.destroyed) {
    await body?.cancel().catch(() => undefined);
    return "client-gone";
  }
  const sent = headerList(headers);
  if (!headers.has(replyIdHeader)) sent.push(replyIdHeader, replyId);
  outgoing.writeHead(status, statusText || STATUS_CODES[status], sent);
  if (body === null) return end(outgoing);
  // The head goes out now, in one packet with what comes in the same moment.
  outgoing.cork();
  outgoing.flushHeaders();
  setImmediate(() => outgoing.uncork());
  return (await pump(body, outgoing)) ? end(outgoing) : breakConnection(outgoing);
}

/** Writes the body as fast as the client reads. Returns whether all of it came. */
async function pump(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<boolean> {
  const reader = body.getReader();
  const closed = new Promise<void>((resolve) => outgoing.once("close", resolve));
  // An upstream that fails while it is cancelled changes nothing.
  void closed.then(() => reader.cancel()).catch(() => undefined);
  let flushed = Promise.resolve();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return true;
      const written = write(outgoing, value);
      flushed = written.isFlushed;
      // Node 22 emits no `drain` for what was written while the reply was corked.
      if (written.isFull) await Promise.race([closed, flushed]);
    }
  } catch {
    await Promise.race([closed, flushed]);
    return false;
  }
}

/** Names and values in turn: a name may stand several times, as `set-cookie` does. */
const headerList = (headers: Headers): string[] => [...headers].flat();

interface Written {
  /** More should be written only after the client took some of it. */
  readonly isFull: boolean;
  /** The system has all of it. */
  readonly isFlushed: Promise<void>;
}

function write(outgoing: ServerResponse, chunk: Uint8Array): Written {
  const flushed = Promise.withResolvers<void>();
  const isFull = !outgoing.write(chunk, () => flushed.resolve());
  return { isFull, isFlushed: flushed.promise };
}

function end(outgoing: ServerResponse): Promise<ReplyEnd> {
  return new Promise((resolve) => {
    const stop = (): void => resolve(outgoing.writableFinished ? "complete" : "client-gone");
    if (outgoing.destroyed) return stop();
    // Node 22 and 24 send the end of a corked reply before its body, so clients get an empty body.
    while (outgoing.writableCorked > 0) outgoing.uncork();
    outgoing.once("finish", stop).once("close", stop).end();
  });
}

/**
 * Breaks the connection after the client could read what was sent. At once, clients would lose the
 * last event and see only that the connection is gone.
 */
async function breakConnection(outgoing: ServerResponse): Promise<ReplyEnd> {
  if (outgoing.destroyed) return "client-gone";
  await delay(breakDelayMs);
  const { socket } = outgoing;
  // Without chunks, the end of the connection is the end of the reply. Only a reset says more.
  if (outgoing.chunkedEncoding) socket?.destroy();
  else socket?.resetAndDestroy();
  return "broken";
}
