import type { EventBatches } from "../contract/adapter.ts";
import { ProviderError } from "../contract/error.ts";
import { parseJson } from "../json/json.ts";
import { createFrameReader, type FrameReader, unreadable } from "./frames.ts";

/** How event data is parsed, and how large it may be. */
export interface SseOptions<Native> {
  /**
   * Parses the data of one event, or a JSON body. `undefined` skips it. By default JSON; the
   * `[DONE]` that some hosts append is skipped.
   */
  readonly parse?: ((data: string) => Native | undefined) | undefined;
  /** The largest number of characters of one event, or of a JSON body. 16 Mi by default. */
  readonly maxBytes?: number | undefined;
}

const mebi = 1024 * 1024;
const bracket = 91;
const parseEvent = (data: string): undefined =>
  data.charCodeAt(0) === bracket && data.startsWith("[DONE]") ? undefined : parseJson(data);

/**
 * The native events of an HTTP response: server-sent events, or a JSON body as one event. Event
 * names are ignored. Yields the events before a fault, then throws: for a failed status (with its
 * body), HTML, a frame that cannot be read, and a body that was cut or is too large.
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
  const open = (add: (native: Native) => void): FrameReader =>
    createFrameReader({
      parse,
      limit: maxBytes,
      onFrame: (native) => native !== undefined && add(native),
    });
  return {
    head: { status: response.status, requestId },
    [Symbol.asyncIterator]: () => readBatches(response, open),
  };
}

/**
 * A part of a reply: a native event with the text that it came in. `native` is `undefined` for a
 * comment. `isWhole`: the reply is this JSON body, not a stream.
 */
export interface Frame<Native> {
  readonly raw: string;
  readonly native: Native | undefined;
  readonly isWhole?: true;
}

/**
 * The frames of the body of an HTTP response. All `raw` texts together are the text of the body.
 * Yields the frames before a fault, and the text after them as a comment, then throws, as `sse`
 * does; does not look at the status.
 */
export function readFrames<Native>(
  response: Response,
  { parse = parseEvent, maxBytes = 16 * mebi }: SseOptions<Native> = {},
): AsyncGenerator<readonly Frame<Native>[]> {
  let whole: { readonly isWhole?: true } = {};
  const frameOf = (native: Native | undefined, raw: string): Frame<Native> => ({
    raw,
    native,
    ...whole,
  });
  return readBatches<Frame<Native>>(
    response,
    (add) =>
      createFrameReader({
        parse,
        limit: maxBytes,
        keepsRaw: true,
        onWhole: () => {
          whole = { isWhole: true };
        },
        onFrame: (native, raw) => add(frameOf(native, raw)),
      }),
    (raw) => frameOf(undefined, raw),
  );
}

/**
 * The frames of a text that was read before: an event stream whose events are complete.
 * @throws ProviderError if the text is none.
 */
export function parseFrames<Native>(
  text: string,
  { parse = parseEvent }: Pick<SseOptions<Native>, "parse"> = {},
): readonly Frame<Native>[] {
  const frames: Frame<Native>[] = [];
  const reader = createFrameReader<Native>({
    parse,
    limit: Number.POSITIVE_INFINITY,
    keepsRaw: true,
    onFrame: (native, raw) => frames.push({ raw, native }),
  });
  reader.take(text);
  reader.end();
  return frames;
}

async function* readBatches<Item>(
  response: Response,
  open: (add: (item: Item) => void) => FrameReader,
  unread?: (text: string) => Item,
): AsyncGenerator<readonly Item[]> {
  const body = response.body?.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let batch: Item[] = [];
  const reader = open((item) => batch.push(item));
  try {
    for (let done = false; !done; ) {
      const chunk = (await body?.read()) ?? { done: true, value: undefined };
      done = chunk.done;
      const failure = readChunk(reader, decode(decoder, chunk.value), done);
      const items = batch;
      batch = [];
      if (failure !== undefined && unread !== undefined) items.push(unread(reader.unread()));
      if (!done || items.length > 0) yield items;
      if (failure !== undefined) throw failure.thrown;
    }
  } finally {
    // If the body failed, so does its cancelling. The failure has been reported already.
    await body?.cancel().catch(() => undefined);
  }
}

function readChunk(
  reader: FrameReader,
  { text, failure: damage }: DecodedChunk,
  done: boolean,
): { readonly thrown: unknown } | undefined {
  try {
    reader.take(text);
    if (damage !== undefined) throw damage;
    if (done) reader.end();
    return undefined;
  } catch (thrown) {
    return { thrown };
  }
}

interface DecodedChunk {
  readonly text: string;
  readonly failure?: ProviderError;
}

/** Decodes a chunk up to its first invalid byte. */
function decode(decoder: TextDecoder, bytes: Uint8Array | undefined): DecodedChunk {
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

/**
 * Has the fields that the core reads from errors: `status`, `headers`, and the parsed body as
 * `error`.
 */
async function failedStatus(response: Response): Promise<Error> {
  const text = await beginning(response, 65_536);
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
    // Status and headers are enough. The text is what arrived of the body.
  } finally {
    await body?.cancel().catch(() => undefined);
  }
  return text.slice(0, length);
}
