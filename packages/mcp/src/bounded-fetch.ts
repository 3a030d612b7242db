import {
  anyFunction,
  checkOptions,
  type OptionKinds,
  positiveInteger,
} from "@fullstop/core/adapter";
import type { FetchLike } from "@modelcontextprotocol/client";

/** The options of `boundedFetch`. */
export interface BoundedFetchOptions {
  /** The largest answer in bytes; of a stream the largest event. Default: 16 MiB. */
  readonly maxBytes?: number | undefined;
  /** What sends the requests. Default: the global `fetch`. */
  readonly fetch?: FetchLike | undefined;
}

const kinds: OptionKinds<Required<BoundedFetchOptions>> = {
  maxBytes: positiveInteger,
  fetch: anyFunction,
};
const defaultMaxBytes = 16 * 1024 * 1024;

/**
 * A `fetch` for a transport of the SDK, which reads an answer of any size into memory by itself. If an
 * answer is larger, its connection is closed and the call is in doubt, because its tool may have run.
 * @throws TypeError or RangeError for an option that cannot work. The message names the option.
 */
export function boundedFetch(options: BoundedFetchOptions = {}): FetchLike {
  checkOptions(options, kinds, { of: "boundedFetch" });
  const { maxBytes = defaultMaxBytes, fetch = globalThis.fetch } = options;
  const problem = `Its answer is larger than ${maxBytes} bytes, the \`maxBytes\` of \`boundedFetch\`.`;
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null) return response;
    const { body } = response;
    const limited = isEventStream(response)
      ? body.pipeThrough(limitEvents(maxBytes, () => endOfStream(init?.body, problem)))
      : body.pipeThrough(limitBytes(maxBytes, problem));
    return new Response(limited, response);
  };
}

const isEventStream = ({ headers }: Response): boolean =>
  /^text\/event-stream\b/i.test(headers.get("content-type") ?? "");

type Bytes = Uint8Array<ArrayBuffer>;

function limitBytes(maxBytes: number, problem: string): TransformStream<Bytes, Bytes> {
  let size = 0;
  return new TransformStream({
    transform: (chunk, controller) => {
      size += chunk.length;
      if (size > maxBytes) controller.error(new Error(problem));
      else controller.enqueue(chunk);
    },
  });
}

const lineFeed = 10;
const carriageReturn = 13;

/** The SDK keeps no event, so each of them has the limit. `end` is sent instead of the rest. */
function limitEvents(maxBytes: number, end: () => Bytes): TransformStream<Bytes, Bytes> {
  let size = 0;
  let isLineEmpty = true;
  const isTooLarge = (byte: number): boolean => {
    size = byte === lineFeed && isLineEmpty ? 0 : size + 1;
    if (byte !== carriageReturn) isLineEmpty = byte === lineFeed;
    return size > maxBytes;
  };
  return new TransformStream({
    transform: (chunk, controller) => {
      if (chunk.some(isTooLarge)) {
        controller.enqueue(end());
        controller.terminate();
      } else controller.enqueue(chunk);
    },
  });
}

/** A code that the SDK itself uses when a connection was closed: the tool may have run. */
const connectionClosed = -32000;

/** After a stream that only ends, the SDK would ask the server for the answer again. */
function endOfStream(body: unknown, message: string): Bytes {
  const answers = requestIdsOf(body).map((id) => {
    const error = { code: connectionClosed, message };
    return `data: ${JSON.stringify({ jsonrpc: "2.0", id, error })}\n\n`;
  });
  return new TextEncoder().encode(`\n\n${answers.join("")}`);
}

function requestIdsOf(body: unknown): readonly unknown[] {
  if (typeof body !== "string") return [];
  const sent: unknown = JSON.parse(body);
  return [sent].flat().flatMap((message) => {
    const { id, method } = message as { readonly id?: unknown; readonly method?: unknown };
    return id !== undefined && method !== undefined ? [id] : [];
  });
}
