import { ProviderError } from "../contract/error.ts";
import { readPrefix } from "../json/partial-json.ts";

/** Text in, native events out. What it throws comes after the events before it are in the batch. */
export interface Reader<Native> {
  take(text: string, batch: Native[]): void;
  end(batch: Native[]): void;
}

type Parse<Native> = (data: string) => Native | undefined;

/** A body shows what it is, whatever its head says: no line of server-sent events begins with a bracket, and JSON of a reply does. */
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
 * Reads server-sent events; names, ids and retry times are not looked at.
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
    if (payload.length > limit) throw tooLarge(limit);
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
      if (lines.rest().length + (data?.length ?? 0) > limit) throw tooLarge(limit);
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
  /** Hands over each line that is whole by now: where it stands in a text, without its end. */
  take(chunk: string, line: (text: string, at: number, end: number) => void): void;
  /** The line that is not whole yet. */
  rest(): string;
}

/** Lines are not cut out of the chunk; only one that began in a chunk before is a text of its own. Lines end in LF, CR or CRLF. */
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

/** A last event without its blank line counts if its data is whole; if not, it was cut. */
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

/** Reads a body that is one JSON text as one event. */
function createWhole<Native>(parse: Parse<Native>, limit: number): Reader<Native> {
  let text = "";
  return {
    take(chunk) {
      text += chunk;
      if (text.length > limit) throw tooLarge(limit);
    },
    end(batch) {
      try {
        const native = parse(text);
        if (native !== undefined) batch.push(native);
      } catch (cause) {
        if (readPrefix(text) === "invalid") throw unreadable("a body that is not JSON", text);
        throw new ProviderError(`The reply's body is not whole JSON: ${excerpt(text)}`, {
          kind: "cut",
          cause,
        });
      }
    },
  };
}

const excerpt = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);
const tooLarge = (limit: number): ProviderError =>
  new ProviderError(`One event of the reply is larger than ${limit} characters; reading stopped.`, {
    kind: "too-large",
  });
export const unreadable = (what: string, text: string): ProviderError =>
  new ProviderError(`The server answered with ${what}: ${excerpt(text.trim())}`, {
    kind: "malformed-reply",
  });
