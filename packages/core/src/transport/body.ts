import type { EventBatches } from "../contract/adapter.ts";
import { unreadableReply } from "./faults.ts";

/**
 * Parses the data of one event, or a JSON body. `name` is `"error"` if the stream gives the event
 * this name; other names are not passed on.
 */
export type ParseEvent<Native> = (data: string, name?: "error") => Native | undefined;

/** How event data is parsed, and how large it may be. */
export interface EventOptions<Native> {
  /**
   * Parses the data of one event, or a JSON body. `undefined` skips it. By default JSON; the
   * `[DONE]` that some hosts append is skipped.
   */
  readonly parse?: ParseEvent<Native> | undefined;
  /**
   * The largest number of characters (of an AWS event stream: bytes) of one event, or of a JSON
   * body. 16 Mi by default.
   */
  readonly maxBytes?: number | undefined;
}

export const defaultMaxBytes: number = 16 * 1024 * 1024;

/** Turns the bytes of a body into items. If it throws, the items before the fault were added. */
export interface BodyReader {
  take(bytes: Uint8Array): void;
  end(): void;
  /** The text that came after the last item, for readers that keep it. */
  unread(): string;
}
type OpenReader<Item> = (add: (item: Item) => void) => BodyReader;

/** Throws for a failed status, with its body. The events throw for a page. */
export async function openBody<Native>(
  response: Response,
  open: OpenReader<Native>,
): Promise<EventBatches<Native>> {
  if (!response.ok) throw await failedStatus(response);
  const { headers, status } = response;
  const type = headers.get("content-type") ?? "";
  const requestId =
    headers.get("request-id") ??
    headers.get("x-request-id") ??
    headers.get("x-amzn-requestid") ??
    undefined;
  return {
    head: { status, requestId },
    [Symbol.asyncIterator]: () => readBatches(response, (add) => refusePages(open(add), type)),
  };
}

/** Content types are often wrong, so only a body that begins like a page is refused as one. */
function refusePages(reader: BodyReader, type: string): BodyReader {
  if (!/html|xml/i.test(type)) return reader;
  let hasBegun = false;
  return {
    take(bytes) {
      const start = hasBegun ? "" : new TextDecoder().decode(bytes).trimStart();
      hasBegun ||= start !== "";
      if (start.startsWith("<"))
        throw unreadableReply(`a page (${type}) instead of a reply`, start.slice(0, 200));
      reader.take(bytes);
    },
    end: () => reader.end(),
    unread: () => reader.unread(),
  };
}

/**
 * The items of each chunk of a body. Yields those before a fault, then what `unread` makes of the
 * text after them, then throws. An abort of `signal` ends a body that does not follow it itself.
 */
export async function* readBatches<Item>(
  response: Response,
  open: OpenReader<Item>,
  unread?: (text: string) => Item,
  signal?: AbortSignal,
): AsyncGenerator<readonly Item[]> {
  const body = response.body?.getReader();
  const cancel = async (): Promise<void> => body?.cancel().catch(() => undefined);
  signal?.addEventListener("abort", cancel, { once: true });
  let batch: Item[] = [];
  const reader = open((item) => batch.push(item));
  try {
    for (let done = false; !done; ) {
      const chunk = await body?.read();
      done = chunk?.done ?? true;
      const failure = readChunk(reader, chunk);
      const items = batch;
      batch = [];
      if (failure !== undefined && unread !== undefined) items.push(unread(reader.unread()));
      if (!done || items.length > 0) yield items;
      if (failure !== undefined) throw failure.thrown;
    }
  } finally {
    // If the body failed, so does its cancelling. The failure has been reported already.
    await cancel();
    signal?.removeEventListener("abort", cancel);
  }
}

function readChunk(
  reader: BodyReader,
  chunk: ReadableStreamReadResult<Uint8Array> | undefined,
): { readonly thrown: unknown } | undefined {
  try {
    // `value` does not tell the end: workerd ends a stream of bytes with an empty one.
    if (chunk?.done === false) reader.take(chunk.value);
    else reader.end();
    return undefined;
  } catch (thrown) {
    return { thrown };
  }
}

/** With `status`, `headers` and the parsed body as `error`, which the core reads from errors. */
async function failedStatus(response: Response): Promise<Error> {
  const text = await readBeginning(response, 65_536);
  let error: unknown = text;
  try {
    error = JSON.parse(text);
  } catch {
    // If the body is not JSON, it is the message.
  }
  return Object.assign(new Error(text === "" ? response.statusText || "no body" : text), {
    status: response.status,
    headers: response.headers,
    error,
  });
}

async function readBeginning(response: Response, length: number): Promise<string> {
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
    // Status and headers are enough. The text is what arrived of the body.
  } finally {
    await body?.cancel().catch(() => undefined);
  }
  return text.slice(0, length);
}
