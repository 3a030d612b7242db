import type { Turn } from "@fullstop/core";
import type { Failure, Protocol } from "../protocols/protocol.ts";
import type { Output } from "./stream.ts";

/** Headers that describe bytes which the guard may not send. `fetch` has decoded the body. */
const bodyHeaders: ReadonlySet<string> = new Set([
  "content-digest",
  "content-encoding",
  "content-length",
  "content-md5",
  "digest",
  "etag",
  "repr-digest",
  "transfer-encoding",
]);
/** The id of the reply, which its report has too. */
export const replyIdHeader = "x-fullstop-reply-id";
/** The reason for which the calls were withheld, for programs. Only if it is known in time. */
const reasonHeader = "x-fullstop-withheld";
interface KnownReply {
  readonly replyId?: string;
  readonly turn?: Turn | undefined;
}
/** Returns the headers to which it added those of the upstream that hold for what the guard sends. */
function addHeaders(upstream: Headers | undefined, sent: Headers): Headers {
  for (const [name, value] of upstream ?? []) if (!bodyHeaders.has(name)) sent.append(name, value);
  return sent;
}

function markReply(headers: Headers, { replyId, turn }: KnownReply): void {
  if (replyId !== undefined) headers.set(replyIdHeader, replyId);
  const reason = turn?.withheld[0]?.reason;
  if (reason !== undefined) headers.set(reasonHeader, reason);
}

export interface StartedReply {
  readonly replyId: string;
  readonly first: IteratorResult<Output, void>;
  readonly outputs: AsyncGenerator<Output, void>;
  readonly client: ClientSignal;
  readonly onEnd: () => void;
}

export interface ClientSignal {
  readonly signal: AbortSignal;
  readonly leave: () => void;
  /** For one reply, so that it can be left: its host may keep it open. It follows `signal`. */
  readonly openReply: () => AbortController;
  /** The request has ended: the signal no longer follows that of the caller. */
  readonly stop: () => void;
}

export function replyResponse(
  { status, statusText, headers, url }: Response,
  started: StartedReply,
): Response {
  const words = isSendable.test(statusText) ? statusText : "";
  const response = new Response(streamOf(started), { status, statusText: words });
  const sent = addHeaders(headers, response.headers);
  markReply(sent, { replyId: started.replyId, turn: turnOf(started.first) });
  return Object.defineProperty(response, "url", { value: url });
}

/** A `Response` cannot be made with a reason phrase in other characters. */
const isSendable = /^[\t\x20-\x7e]*$/;

/** The turn of a reply of which nothing went out before its verdict. */
export const turnOf = ({ value }: StartedReply["first"]): Turn | undefined =>
  value?.type === "outcome" ? value.turn : undefined;

const encoder = /* @__PURE__ */ new TextEncoder();

function streamOf({ first, outputs, client, onEnd }: StartedReply): ReadableStream<Uint8Array> {
  let started: IteratorResult<Output, void> | undefined = first;
  /** The next text. The outcome of a reply is not a part of the body. */
  const next = async (): Promise<Exclude<Output, { type: "outcome" }> | undefined> => {
    for (;;) {
      const { value } = started ?? (await outputs.next());
      started = undefined;
      if (!value) return undefined;
      if (value.type !== "outcome") return value;
    }
  };
  return new ReadableStream(
    {
      // Readers may bring their own memory, as with a body of `fetch`.
      type: "bytes",
      async pull(controller) {
        let output: Awaited<ReturnType<typeof next>>;
        try {
          output = await next();
        } finally {
          if (output?.type !== "text") onEnd();
        }
        if (output?.type === "text") controller.enqueue(encoder.encode(output.text));
        else if (output?.type === "break") {
          controller.error(breakReason(client.signal));
          await outputs.return();
        } else closeBytes(controller);
      },
      async cancel() {
        client.leave();
        onEnd();
        await outputs.return();
      },
    },
    // Nothing is read before the client asks for it.
    { highWaterMark: 0 },
  );
}

/** A reader that waits with memory of its own gets it back empty. */
function closeBytes(controller: ReadableByteStreamController): void {
  controller.close();
  controller.byobRequest?.respond(0);
}

const breakReason = (signal: AbortSignal): unknown =>
  signal.aborted ? signal.reason : replyBroken();
const replyBroken = (): TypeError =>
  new TypeError("The reply ended with an error before it was complete.");

/** The wait after a broken reply, which the client may send again at once. */
const shortWaitMs = 300;

/** Both headers that clients read. The one in seconds is only for a wait that is asked for. */
function setWait(headers: Headers, { retryAfterMs }: Failure): void {
  headers.set("retry-after-ms", String(retryAfterMs ?? shortWaitMs));
  if (retryAfterMs !== undefined)
    headers.set("retry-after", String(Math.ceil(retryAfterMs / 1000)));
}

interface FailedReply extends KnownReply {
  readonly headers: Headers;
}

export function errorResponse(protocol: Protocol, failure: Failure, reply?: FailedReply): Response {
  const headers = addHeaders(reply?.headers, new Headers());
  markReply(headers, reply ?? {});
  headers.set("content-type", "application/json");
  headers.set("x-should-retry", String(failure.isRetryable));
  if (failure.isRetryable) setWait(headers, failure);
  return new Response(JSON.stringify(protocol.failBody(failure)), {
    status: failure.status,
    headers,
  });
}
