import { ProviderError } from "../contract/error.ts";
import { parsePartialJson } from "../json/partial-json.ts";
import { createLines } from "./lines.ts";

/** Turns text into frames. If it throws, the frames before the fault were passed on. */
export interface FrameReader {
  take(text: string): void;
  end(): void;
  /** The text that came after the last frame. Empty if `keepsRaw` is not set. */
  unread(): string;
}

/** How frames are read, and where they go. */
export interface FrameTarget<Native> {
  readonly parse: (data: string) => Native | undefined;
  /** The largest number of characters of one event, or of a JSON body. */
  readonly limit: number;
  /**
   * Receives each frame. `native` is `undefined` for a comment, and for data that `parse` skips.
   * `raw` is the text of the frame, its end included; empty if `keepsRaw` is not set.
   */
  readonly onFrame: (native: Native | undefined, raw: string) => void;
  readonly keepsRaw?: true;
  /** Called once if the body is JSON instead of server-sent events. */
  readonly onWhole?: () => void;
}

/** Detects JSON or server-sent events from the first character; content types are often wrong. */
export function createFrameReader<Native>(target: FrameTarget<Native>): FrameReader {
  let reader: FrameReader | undefined;
  let lead = "";
  return {
    take(text) {
      if (reader !== undefined) return reader.take(text);
      lead += text;
      const start = lead.trimStart();
      if (start === "") return;
      const isWhole = /^[{[]/.test(start);
      if (isWhole) target.onWhole?.();
      const skipped = target.keepsRaw ? lead.slice(0, -start.length) : "";
      reader = isWhole ? createWhole(target, skipped) : createFrames(target, skipped);
      reader.take(start);
    },
    end() {
      if (reader === undefined)
        throw new ProviderError("The reply's body is empty.", { kind: "cut" });
      reader.end();
    },
    unread: () => reader?.unread() ?? lead,
  };
}

/**
 * Reads server-sent events. Names, ids and retry times are ignored. `skipped` is the text before
 * them: a byte order mark, or white space.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
function createFrames<Native>(
  { parse, limit, onFrame, keepsRaw }: FrameTarget<Native>,
  skipped: string,
): FrameReader {
  const lines = createLines();
  let data: string | undefined;
  let events = 0;
  let start = "";
  let carried = skipped;
  let chunk = "";
  let from = 0;
  const takeRaw = (to: number): string => {
    if (!keepsRaw) return "";
    const raw = carried + chunk.slice(from, to);
    carried = "";
    from = to;
    return raw;
  };
  const dispatch = (next: number): void => {
    const payload = data;
    data = undefined;
    const isEvent = payload !== undefined && payload !== "";
    if (isEvent && payload.length > limit) throw replyTooLarge(limit);
    if (isEvent) events++;
    const native = isEvent ? parseFrame(parse, payload) : undefined;
    if (isEvent || keepsRaw) onFrame(native, takeRaw(next));
  };
  const addLine = (text: string, at: number, end: number): void => {
    const value = dataOf(text, at, end);
    if (value !== undefined) data = data === undefined ? value : `${data}\n${value}`;
  };

  return {
    take(text) {
      if (events === 0 && start.length < 200) start += text.slice(0, 200);
      chunk = text;
      from = 0;
      lines.take(text, (line, at, end, next) =>
        at === end ? dispatch(next) : addLine(line, at, end),
      );
      carried = takeRaw(text.length);
      if (lines.rest().length + (data?.length ?? 0) > limit) throw replyTooLarge(limit);
    },
    end() {
      const rest = lines.rest();
      addLine(rest, 0, rest.length);
      const pending = data;
      if (pending !== undefined || carried !== "")
        endsComplete(() => dispatch(chunk.length), pending);
      if (events === 0) throw unreadable("a body without an event", start);
    },
    unread: () => takeRaw(chunk.length),
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

function parseFrame<Native>(
  parse: FrameTarget<Native>["parse"],
  payload: string,
): Native | undefined {
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
function endsComplete(dispatch: () => void, pending: string | undefined): void {
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
function createWhole<Native>(
  { parse, limit, onFrame }: FrameTarget<Native>,
  skipped: string,
): FrameReader {
  let text = "";
  return {
    take(chunk) {
      text += chunk;
      if (text.length > limit) throw replyTooLarge(limit);
    },
    end() {
      let native: Native | undefined;
      try {
        native = parse(text);
      } catch (cause) {
        if (parsePartialJson(text) === "invalid") throw unreadable("a body that is not JSON", text);
        throw new ProviderError(`The reply's body is incomplete JSON: ${excerpt(text)}`, {
          kind: "cut",
          cause,
        });
      }
      onFrame(native, skipped + text);
    },
    unread: () => skipped + text,
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
