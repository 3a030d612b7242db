import type { Batches } from "./adapter.ts";
import { ProviderError } from "./error.ts";

export interface SseOptions<Native> {
  /** One event's data to a native event; `undefined` skips it. By default JSON, without the `[DONE]` that some hosts append. */
  readonly parse?: ((data: string) => Native | undefined) | undefined;
  /** The most characters that one event, or a whole JSON body, may have; 16 Mi by default. */
  readonly maxBytes?: number | undefined;
}

const mebi = 1024 * 1024;
const parseJson = (data: string): undefined => (data.startsWith("[DONE]") ? undefined : JSON.parse(data));

/**
 * The native events of an HTTP response: server-sent events, or a whole JSON body as one event. Event names are not looked at.
 * Yields what was read before it throws: a failed status (with its body), HTML, a frame that cannot be read, a body that was cut or is too large.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export async function sse<Native>(
  response: Response,
  { parse = parseJson, maxBytes = 16 * mebi }: SseOptions<Native> = {},
): Promise<Batches<Native>> {
  if (!response.ok) throw await failedStatus(response);
  const type = response.headers.get("content-type") ?? "";
  if (/html|xml/i.test(type)) throw unreadable(`a page (${type}) instead of a reply`, await beginning(response, 200));
  const requestId = response.headers.get("request-id") ?? response.headers.get("x-request-id") ?? undefined;
  const reader = /^application\/json/i.test(type) ? wholeBody<Native>(maxBytes) : createFrames(parse, maxBytes);
  return { head: { status: response.status, requestId }, [Symbol.asyncIterator]: () => batches(response, reader) };
}

interface Reader<Native> {
  take(text: string, batch: Native[]): void;
  end(batch: Native[]): void;
}

async function* batches<Native>(response: Response, reader: Reader<Native>): AsyncGenerator<readonly Native[]> {
  const body = response.body?.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for (let done = false; !done; ) {
      const chunk = (await body?.read()) ?? { done: true, value: undefined };
      const batch: Native[] = [];
      let failure: unknown;
      done = chunk.done;
      try {
        reader.take(decode(decoder, chunk.value), batch);
        if (done) reader.end(batch);
      } catch (thrown) {
        failure = thrown;
      }
      if (batch.length > 0) yield batch;
      if (failure !== undefined) throw failure;
    }
  } finally {
    // A body that failed rejects its cancelling too; its failure has been reported by then.
    await body?.cancel().catch(() => undefined);
  }
}

function decode(decoder: TextDecoder, bytes: Uint8Array | undefined): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch (cause) {
    throw new ProviderError(
      bytes === undefined ? "The reply ends in the middle of a character." : "The reply holds bytes that are not UTF-8.",
      { kind: bytes === undefined ? "cut" : "malformed-reply", cause },
    );
  }
}

/** Lines to events. The unfinished line is looked at again only when its end has come, so a long line costs linear time. */
function createFrames<Native>(parse: (data: string) => Native | undefined, limit: number): Reader<Native> {
  let rest = "";
  let data: string | undefined;
  let afterCarriageReturn = false;
  let events = 0;
  let start = "";

  const dispatch = (batch: Native[]): void => {
    const payload = data;
    data = undefined;
    if (payload === undefined || payload === "") return;
    events++;
    const native = parseFrame(parse, payload);
    if (native !== undefined) batch.push(native);
  };
  const line = (text: string, at: number, end: number): void => {
    if (!text.startsWith("data", at)) return;
    const colon = at + 4;
    if (colon < end && text.charCodeAt(colon) !== 58) return;
    const from = text.charCodeAt(colon + 1) === 32 ? colon + 2 : colon + 1;
    const value = from < end ? text.slice(from, end) : "";
    data = data === undefined ? value : `${data}\n${value}`;
  };

  return {
    take(chunk, batch) {
      let text = chunk;
      if (afterCarriageReturn && text !== "") text = text.startsWith("\n") ? text.slice(1) : text;
      if (chunk !== "") afterCarriageReturn = chunk.endsWith("\r");
      if (text.includes("\r")) text = text.replaceAll(/\r\n?/g, "\n");
      if (events === 0 && start.length < 200) start += text.slice(0, 200);
      if (rest !== "" && text.includes("\n")) {
        text = rest + text;
        rest = "";
      }
      let at = 0;
      for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", at)) {
        if (end === at) dispatch(batch);
        else line(text, at, end);
        at = end + 1;
      }
      rest += at === 0 ? text : text.slice(at);
      if (rest.length + (data?.length ?? 0) > limit) throw tooLarge(limit);
    },
    end(batch) {
      line(rest, 0, rest.length);
      const pending = data;
      try {
        dispatch(batch);
      } catch (cause) {
        throw new ProviderError(`The reply ends in the middle of an event: ${excerpt(pending ?? "")}`, { kind: "cut", cause });
      }
      if (events > 0) return;
      if (start.trim() === "") throw new ProviderError("The reply's body is empty.", { kind: "cut" });
      throw unreadable("no event in it", start);
    },
  };
}

function parseFrame<Native>(parse: (data: string) => Native | undefined, payload: string): Native | undefined {
  try {
    return parse(payload);
  } catch (cause) {
    throw new ProviderError(`The reply holds a frame that cannot be read: ${excerpt(payload)}`, { kind: "malformed-reply", cause });
  }
}

function wholeBody<Native>(limit: number): Reader<Native> {
  let text = "";
  return {
    take(chunk) {
      text += chunk;
      if (text.length > limit) throw tooLarge(limit);
    },
    end(batch) {
      try {
        batch.push(JSON.parse(text));
      } catch (cause) {
        throw new ProviderError(`The reply's body is not whole JSON: ${excerpt(text)}`, { kind: "cut", cause });
      }
    },
  };
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
  } finally {
    await body?.cancel().catch(() => undefined);
  }
  return text.slice(0, length);
}

const excerpt = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);
const unreadable = (what: string, text: string): ProviderError =>
  new ProviderError(`The server answered with ${what}: ${excerpt(text.trim())}`, { kind: "malformed-reply" });
const tooLarge = (limit: number): ProviderError =>
  new ProviderError(`One event of the reply is larger than ${limit} characters; reading stopped.`, { kind: "too-large" });
