import { ProviderError } from "../contract/error.ts";
import { parsePartialJson } from "../json/partial-json.ts";

/** Turns text into native events. If it throws, the events before the fault are in the batch. */
export interface Reader<Native> {
  take(text: string, batch: Native[]): void;
  end(batch: Native[]): void;
}

type Parse<Native> = (data: string) => Native | undefined;

/** Detects JSON or server-sent events from the first character; content types are often wrong. */
export function createReader<Native>(parse: Parse<Native>, limit: number): Reader<Native> {
  let reader: Reader<Native> | undefined;
  return {
    take(text, batch) {
      const said = reader === undefined ? text.trimStart() : text;
      if (said === "") return;
      reader ??= /^[{[]/.test(said) ? createWhole(parse, limit) : createFrames(parse, limit);
      reader.take(said, batch);
    },
    end(batch) {
      if (reader === undefined)
        throw new ProviderError("The reply's body is empty.", { kind: "cut" });
      reader.end(batch);
    },
  };
}

/**
 * Reads server-sent events. Names, ids and retry times are ignored.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
function createFrames<Native>(parse: Parse<Native>, limit: number): Reader<Native> {
  const lines = createLines();
  let data: string | undefined;
  let events = 0;
  let start = "";
  const dispatch = (batch: Native[]): void => {
    const payload = data;
    data = undefined;
    if (payload === undefined || payload === "") return;
    if (payload.length > limit) throw replyTooLarge(limit);
    events++;
    const native = parseFrame(parse, payload);
    if (native !== undefined) batch.push(native);
  };
  const addLine = (text: string, at: number, end: number): void => {
    const value = dataOf(text, at, end);
    if (value !== undefined) data = data === undefined ? value : `${data}\n${value}`;
  };

  return {
    take(chunk, batch) {
      if (events === 0 && start.length < 200) start += chunk.slice(0, 200);
      lines.take(chunk, (text, at, end) => (at === end ? dispatch(batch) : addLine(text, at, end)));
      if (lines.rest().length + (data?.length ?? 0) > limit) throw replyTooLarge(limit);
    },
    end(batch) {
      const rest = lines.rest();
      addLine(rest, 0, rest.length);
      dispatchLast(() => dispatch(batch), data);
      if (events === 0) throw unreadable("a body without an event", start);
    },
  };
}

interface Lines {
  /** Passes on each complete line: a text, and where the line begins and ends in it. */
  take(chunk: string, line: (text: string, at: number, end: number) => void): void;
  /** The incomplete line at the end. */
  rest(): string;
}

/**
 * Lines stay in their chunk; only a line that began in an earlier chunk is copied. Lines end in LF,
 * CR or CRLF.
 */
function createLines(): Lines {
  let rest = "";
  let afterReturn = false;
  const newlines = (chunk: string): string => {
    const text = afterReturn && chunk.startsWith("\n") ? chunk.slice(1) : chunk;
    if (chunk !== "") afterReturn = chunk.endsWith("\r");
    return text.includes("\r") ? text.replaceAll(/\r\n?/g, "\n") : text;
  };
  return {
    take(chunk, line) {
      const text = newlines(chunk);
      let at = 0;
      let end = text.indexOf("\n");
      if (rest !== "" && end >= 0) {
        const joined = rest + text.slice(0, end);
        line(joined, 0, joined.length);
        rest = "";
        at = end + 1;
        end = text.indexOf("\n", at);
      }
      for (; end >= 0; end = text.indexOf("\n", at)) {
        line(text, at, end);
        at = end + 1;
      }
      rest += text.slice(at);
    },
    rest: () => rest,
  };
}

const colon = 58;
const space = 32;
function dataOf(text: string, at: number, end: number): string | undefined {
  if (!text.startsWith("data", at)) return undefined;
  const after = at + 4;
  if (after >= end) return after === end ? "" : undefined;
  if (text.charCodeAt(after) !== colon) return undefined;
  const from = text.charCodeAt(after + 1) === space ? after + 2 : after + 1;
  return from < end ? text.slice(from, end) : "";
}

function parseFrame<Native>(parse: Parse<Native>, payload: string): Native | undefined {
  try {
    return parse(payload);
  } catch (cause) {
    throw new ProviderError(`The reply holds a frame that cannot be read: ${excerpt(payload)}`, {
      kind: "malformed-reply",
      cause,
    });
  }
}

/** The last event may lack its blank line. It counts if its data is complete, else it was cut. */
function dispatchLast(dispatch: () => void, pending: string | undefined): void {
  try {
    dispatch();
  } catch (cause) {
    throw new ProviderError(`The reply ends in the middle of an event: ${excerpt(pending ?? "")}`, {
      kind: "cut",
      cause,
    });
  }
}

/** Reads a JSON body as one event. */
function createWhole<Native>(parse: Parse<Native>, limit: number): Reader<Native> {
  let text = "";
  return {
    take(chunk) {
      text += chunk;
      if (text.length > limit) throw replyTooLarge(limit);
    },
    end(batch) {
      try {
        const native = parse(text);
        if (native !== undefined) batch.push(native);
      } catch (cause) {
        if (parsePartialJson(text) === "invalid") throw unreadable("a body that is not JSON", text);
        throw new ProviderError(`The reply's body is incomplete JSON: ${excerpt(text)}`, {
          kind: "cut",
          cause,
        });
      }
    },
  };
}

const excerpt = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);
const replyTooLarge = (limit: number): ProviderError =>
  new ProviderError(`One event of the reply is larger than ${limit} characters; reading stopped.`, {
    kind: "too-large",
  });
export const unreadable = (what: string, text: string): ProviderError =>
  new ProviderError(`The server answered with ${what}: ${excerpt(text.trim())}`, {
    kind: "malformed-reply",
  });
