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
  let wake = (): void => undefined;
  const onChange = (): void => wake();
  // Without a listener an error that is not read would end the process.
  readable.on("error", onChange).on("close", onChange).on("end", onChange);
  /** The next chunk; `null` if more may come. At the first call the stream begins to read. */
  const read = (): Uint8Array | null => {
    if (readable.listenerCount("readable") === 0) readable.on("readable", onChange);
    return readable.read();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let chunk = read();
        for (; chunk === null && !isOver(readable); chunk = read())
          await new Promise<void>((resolve) => (wake = resolve));
        if (chunk === null) controller.close();
        else controller.enqueue(chunk);
      },
      cancel() {
        readable.off("readable", onChange);
        if (destroyOnReturn) readable.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Throws if the stream was closed before its end. */
function isOver({ readableEnded, destroyed, errored }: Readable): boolean {
  if (!readableEnded && destroyed)
    throw errored ?? new Error("The connection was closed before the body ended.");
  return readableEnded;
}
