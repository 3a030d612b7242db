import fc from "fast-check";
import { rarely } from "./chances.ts";

/** One event of a stream: its data, and its name if the protocol names events. */
export interface Frame {
  readonly name?: string | undefined;
  /** The server sends the name also if it names no other event. */
  readonly alwaysNamed?: true;
  readonly data: string;
}

/** How a server writes events. Each framing allows its variants. */
export interface Layout {
  readonly newline: "\n" | "\r\n" | "\r";
  /** No space between the colon and the data; no content type of a message. */
  readonly tight: boolean;
  /** Names of events; the headers of a message in another order. */
  readonly names: boolean;
  /** Comments, blank lines, or other headers of a message. */
  readonly comments: boolean;
  /** Keep-alives come as data: `data: : keepalive`. */
  readonly dataComments: boolean;
  /** No line end after the last event. */
  readonly open: boolean;
  /** The sizes of the network chunks; the list repeats. */
  readonly chunks: readonly number[];
}

export const layouts: fc.Arbitrary<Layout> = fc.record({
  newline: fc.constantFrom("\n" as const, "\n" as const, "\r\n" as const, "\r" as const),
  tight: fc.boolean(),
  names: fc.boolean(),
  comments: fc.boolean(),
  dataComments: rarely,
  open: fc.boolean(),
  chunks: fc.oneof(
    fc.constant([100_000]),
    fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 4 }),
  ),
});

/** A response that streams these bytes in chunks and then ends or fails. */
export function respond(
  bytes: Uint8Array,
  { chunks, type, reset }: { chunks: readonly number[]; type: string; reset: boolean },
): Response {
  let at = 0;
  let turn = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at < bytes.length) {
        const end = at + (chunks[turn++ % chunks.length] ?? bytes.length);
        controller.enqueue(bytes.subarray(at, end));
        at = end;
      } else if (reset) controller.error(new TypeError("terminated"));
      else controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": type } });
}
