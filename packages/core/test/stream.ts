import { type EventOptions, sse } from "../src/adapter/index.ts";

export const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

export interface Body extends ResponseInit {
  /** What the body throws after its last chunk. */
  readonly thrown?: unknown;
  readonly onCancel?: () => void;
}
/** A response whose body arrives in these chunks. */
export function respond(
  chunks: readonly (string | Uint8Array)[],
  { thrown, onCancel, ...init }: Body = {},
): Response {
  const left = chunks.map((chunk) => (typeof chunk === "string" ? bytesOf(chunk) : chunk));
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const next = left.shift();
        if (next !== undefined) controller.enqueue(next);
        else if (thrown === undefined) controller.close();
        else controller.error(thrown);
      },
      cancel: () => onCancel?.(),
    },
    { highWaterMark: 0 },
  );
  return new Response(body as BodyInit, {
    headers: { "content-type": "text/event-stream" },
    ...init,
  });
}

export interface Read {
  readonly natives: readonly unknown[];
  /** What came instead of an end. */
  readonly thrown?: unknown;
}
/** All that is read of a response, in one list. */
export async function readAll(
  response: Response,
  options?: EventOptions<unknown>,
  readEvents: typeof sse = sse,
): Promise<Read> {
  const natives: unknown[] = [];
  try {
    for await (const batch of await readEvents(response, options)) natives.push(...batch);
    return { natives };
  } catch (thrown) {
    return { natives, thrown };
  }
}
export const raw: EventOptions<string> = { parse: (data) => data };

/** The bytes cut at these places. */
export function cutAt(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const sorted = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort(
    (a, b) => a - b,
  );
  return [0, ...sorted].map((from, at) => bytes.slice(from, sorted[at]));
}
