import type { IncomingMessage } from "node:http";

const withoutBody: readonly (string | undefined)[] = ["GET", "HEAD"];

/** A request of `node:http` as a `Request`. `undefined`: its target is not a path. */
export function createRequest(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = "GET", url = "" } = incoming;
  const address = `http://gateway${url}`;
  if (!url.startsWith("/") || !URL.canParse(address)) return undefined;
  return new Request(address, {
    method,
    headers: headersOf(incoming),
    signal,
    ...(!withoutBody.includes(method) && { body: bodyOf(incoming), duplex: "half" }),
  });
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value);
  return headers;
}

/**
 * Nothing is read before the stream is read, so that Node can skip bodies that the gateway does not
 * need.
 */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  let chunks: AsyncIterator<Uint8Array> | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        chunks ??= incoming.iterator({ destroyOnReturn: false });
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks?.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
