import type { Readable } from "node:stream";

interface ReadableStreamOptions {
  /** `false`: a reader that leaves does not destroy the stream. */
  readonly destroyOnReturn?: boolean;
}

/** A stream of Node as one of the web. Nothing is read before its reader asks for it. */
export function readableStream(
  readable: Readable,
  { destroyOnReturn = true }: ReadableStreamOptions = {},
): ReadableStream<Uint8Array> {
  // Without a listener an error that is not read would end the process.
  readable.on("error", () => undefined);
  let chunks: AsyncIterator<Uint8Array> | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        chunks ??= readable.iterator({ destroyOnReturn });
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        if (destroyOnReturn) readable.destroy();
        await chunks?.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
