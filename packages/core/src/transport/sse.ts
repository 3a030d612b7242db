import type { EventBatches } from "../contract/adapter.ts";
import { ProviderError } from "../contract/error.ts";
import { parseJson } from "../json/json.ts";
import { createReader, type Reader, unreadable } from "./frames.ts";

/** How event data is read, and how much of it. */
export interface SseOptions<Native> {
  /** One event's data, or a whole JSON body, to a native event; `undefined` skips it. By default JSON, without the `[DONE]` that some hosts append. */
  readonly parse?: ((data: string) => Native | undefined) | undefined;
  /** The most characters that one event, or a whole JSON body, may have; 16 Mi by default. */
  readonly maxBytes?: number | undefined;
}

const mebi = 1024 * 1024;
const bracket = 91;
const parseEvent = (data: string): undefined =>
  data.charCodeAt(0) === bracket && data.startsWith("[DONE]") ? undefined : parseJson(data);

/**
 * The native events of an HTTP response: server-sent events, or a whole JSON body as one event. Event names are not looked at.
 * Yields what was read before it throws: a failed status (with its body), HTML, a frame that cannot be read, a body that was cut or is too large.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export async function sse<Native>(
  response: Response,
  { parse = parseEvent, maxBytes = 16 * mebi }: SseOptions<Native> = {},
): Promise<EventBatches<Native>> {
  if (!response.ok) throw await failedStatus(response);
  const type = response.headers.get("content-type") ?? "";
  if (/html|xml/i.test(type))
    throw unreadable(`a page (${type}) instead of a reply`, await beginning(response, 200));
  const requestId =
    response.headers.get("request-id") ?? response.headers.get("x-request-id") ?? undefined;
  return {
    head: { status: response.status, requestId },
    [Symbol.asyncIterator]: () => batches(response, createReader(parse, maxBytes)),
  };
}

async function* batches<Native>(
  response: Response,
  reader: Reader<Native>,
): AsyncGenerator<readonly Native[]> {
  const body = response.body?.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for (let done = false; !done; ) {
      const chunk = (await body?.read()) ?? { done: true, value: undefined };
      const batch: Native[] = [];
      let failure: unknown;
      done = chunk.done;
      try {
        const { text, failure: damage } = decode(decoder, chunk.value);
        reader.take(text, batch);
        if (damage !== undefined) throw damage;
        if (done) reader.end(batch);
      } catch (thrown) {
        failure = thrown;
      }
      yield batch;
      if (failure !== undefined) throw failure;
    }
  } finally {
    // A body that failed rejects its cancelling too; its failure has been reported by then.
    await body?.cancel().catch(() => undefined);
  }
}

/** The text of a chunk, up to the first byte that is wrong. */
function decode(
  decoder: TextDecoder,
  bytes: Uint8Array | undefined,
): { readonly text: string; readonly failure?: ProviderError } {
  try {
    return {
      text: bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true }),
    };
  } catch (cause) {
    if (bytes === undefined)
      return {
        text: "",
        failure: new ProviderError("The reply ends in the middle of a character.", {
          kind: "cut",
          cause,
        }),
      };
    const [text = ""] = new TextDecoder().decode(bytes).split("\ufffd", 1);
    return {
      text,
      failure: new ProviderError("The reply holds bytes that are not UTF-8.", {
        kind: "malformed-reply",
        cause,
      }),
    };
  }
}

/** Carries what the core reads of an error by its shape: `status`, `headers`, and the parsed body as `error`. */
async function failedStatus(response: Response): Promise<Error> {
  const text = await beginning(response, 65_536);
  let error: unknown = text;
  try {
    error = JSON.parse(text);
  } catch {
    // A body that is no JSON is its own message.
  }
  return Object.assign(new Error(text === "" ? response.statusText || "no body" : text), {
    status: response.status,
    headers: response.headers,
    error,
  });
}

async function beginning(response: Response, length: number): Promise<string> {
  const body = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    while (body !== undefined && text.length < length) {
      const { done, value } = await body.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // The status counts, and its headers; of the body, what came.
  } finally {
    await body?.cancel().catch(() => undefined);
  }
  return text.slice(0, length);
}
