/** Headers that describe bytes which the guard does not send. `fetch` has decoded the body. */
const bodyHeaders = ["content-encoding", "content-length", "transfer-encoding"];
function headersOf(upstream) {
  const headers = new Headers(upstream);
  for (const name of bodyHeaders) headers.delete(name);
  return headers;
}
/** The reply for the client, with the status and the headers of the provider. */
export function replyResponse({ status, statusText, headers, url }, started) {
  const response = new Response(streamOf(started), {
    status,
    statusText,
    headers: headersOf(headers),
  });
  Object.defineProperty(response, "url", { value: url });
  return response;
}
function streamOf({ first, outputs, cancel }) {
  const encoder = new TextEncoder();
  let next = first;
  return new ReadableStream(
    {
      async pull(controller) {
        for (;;) {
          const { done, value } = next ?? (await outputs.next());
          next = undefined;
          if (done) return controller.close();
          if (value.type === "text") return controller.enqueue(encoder.encode(value.text));
          if (value.type === "break") return controller.error(replyBroken());
        }
      },
      async cancel() {
        cancel();
        await outputs.return();
      },
    },
    // Nothing is read before the client asks for it.
    { highWaterMark: 0 },
  );
}
const replyBroken = () => new TypeError("The reply ended with an error before it was complete.");
const retryAfterMs = 300;
/** An error in place of a reply of which nothing was sent. */
export function errorResponse(protocol, failure, upstream) {
  const headers = headersOf(upstream ?? new Headers());
  headers.set("content-type", "application/json");
  headers.set("x-should-retry", String(failure.isRetryable));
  if (failure.isRetryable) headers.set("retry-after-ms", String(retryAfterMs));
  return new Response(JSON.stringify(protocol.failBody(failure)), {
    status: failure.status,
    headers,
  });
}
