/** A body of which at most a number of bytes is read. */
export interface LimitedBody {
  readonly stream: ReadableStream<Uint8Array> | null;
  /** The body has more bytes. The stream has failed. */
  readonly isTooLarge: () => boolean;
}

/**
 * Limits a body, without reading more of it than its reader asks for. A server reads no more bytes
 * than `content-length` says, so only a body without it is counted.
 */
export function limitBody({ body, headers }: Request, maxBytes: number): LimitedBody {
  if (body === null || headers.has("content-length"))
    return { stream: body, isTooLarge: () => false };
  const reader = body.getReader();
  let length = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        length += value.byteLength;
        if (length <= maxBytes) return controller.enqueue(value);
        controller.error(new RangeError("The request body is too large."));
        await reader.cancel();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return { stream, isTooLarge: () => length > maxBytes };
}
