import { fieldsOf, isFields, readFrames } from "@fullstop/core/adapter";
import type { Fetch } from "@fullstop/guard";

type Options = Readonly<Record<string, unknown>>;
/** The client of `@google/generative-ai`. It takes no `fetch`. */
export interface GoogleClient {
  readonly model: string;
  generateContent(request: unknown, options?: Options): Promise<{ readonly response: unknown }>;
  generateContentStream(
    request: unknown,
    options?: Options,
  ): Promise<{ readonly stream: AsyncIterable<unknown>; readonly response?: Promise<unknown> }>;
}

export const isGoogleClient = (client: unknown): client is GoogleClient =>
  isFields(client) && typeof client["generateContentStream"] === "function";

/** Sends requests with the client. A reply has the client's events. */
export const fetchOf =
  (client: GoogleClient): Fetch =>
  async (url, init) => {
    const request: unknown = JSON.parse(String(init?.body));
    const options = { signal: init?.signal };
    if (!String(url).endsWith(streamPath))
      return Response.json((await client.generateContent(request, options)).response);
    const { stream, response } = await client.generateContentStream(request, options);
    // It fails with the stream. LangChain does not wait for it, so Node would end the process.
    response?.catch(() => undefined);
    const headers = { "content-type": "text/event-stream" };
    return new Response(bytesOf(stream), { headers });
  };

function bytesOf(stream: AsyncIterable<unknown>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const events = stream[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await events.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(`data: ${JSON.stringify(value)}\n\n`));
    },
    async cancel() {
      await events.return?.();
    },
  });
}

const streamPath = "streamGenerateContent";

/** The client with a `fetch`, which gets what `fetchOf` can send. */
export function withFetch(client: GoogleClient, baseURL: string, fetch: Fetch): GoogleClient {
  const ask = async (path: string, request: unknown, options: Options = {}): Promise<Response> => {
    const response = await fetch(`${baseURL}/v1beta/${client.model}:${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(request),
      ...(options["signal"] instanceof AbortSignal && { signal: options["signal"] }),
    });
    if (response.ok) return response;
    const { message } = fieldsOf(fieldsOf(await response.json())["error"]);
    throw Object.assign(new Error(String(message)), { status: response.status });
  };
  const own: Pick<GoogleClient, "generateContent" | "generateContentStream"> = {
    generateContent: async (request, options) => ({
      response: await (await ask("generateContent", request, options)).json(),
    }),
    generateContentStream: async (request, options) => ({
      stream: eventsOf(await ask(streamPath, request, options)),
    }),
  };
  return Object.assign(Object.create(client), own);
}

async function* eventsOf(response: Response): AsyncGenerator<unknown> {
  for await (const frames of readFrames(response))
    for (const { native } of frames) if (native !== undefined) yield native;
}
