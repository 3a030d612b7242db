import { isObjectText } from "../json/parse.ts";
import { cutEvent, emptyReply, replyTooLarge, unreadableReply } from "./faults.ts";
import { createLines } from "./lines.ts";
import {
  brace,
  createWholeReader,
  type FrameTarget,
  isComment,
  parseFrame,
  type TextReader,
} from "./text-reader.ts";

/** Detects JSON or server-sent events from the first character; content types are often wrong. */
export function createSseReader<Native>(target: FrameTarget<Native>): TextReader {
  let reader: TextReader | undefined;
  let leadLength = 0;
  const passBlank = (blank: string): void => {
    if (target.keepsRaw && blank !== "") target.onFrame(undefined, blank);
  };
  return {
    take(text) {
      if (reader !== undefined) return reader.take(text);
      const start = text.trimStart();
      const blank = text.slice(0, text.length - start.length);
      leadLength += blank.length;
      if (leadLength > target.limit) throw replyTooLarge(target.limit);
      // A host shows with it that it still works, so a reader that keeps the text gets it at once.
      if (start === "") return passBlank(blank);
      const isWhole = /^[{[]/.test(start);
      if (isWhole) target.onWhole?.();
      const skipped = target.keepsRaw ? blank : "";
      reader = isWhole ? createWholeReader(target, skipped) : createFrames(target, skipped);
      reader.take(start);
    },
    end() {
      if (reader === undefined) throw emptyReply();
      reader.end();
    },
    unread: () => reader?.unread() ?? "",
  };
}

/**
 * Reads server-sent events. Ids, retry times and names are ignored, except for the name `error` and
 * those of signs of life, whose data may be anything: Anthropic's SDK does not read it.
 * `skipped` is the text before them: a byte order mark, or white space.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
function createFrames<Native>(target: FrameTarget<Native>, skipped: string): TextReader {
  const { parse, limit, onFrame } = target;
  const lines = createLines();
  let data: string | undefined;
  let name: EventName | undefined;
  let events = 0;
  let start = "";
  let eventEnd = 0;
  const raw = createRaw(target, skipped);
  const parseChecked = (payload: string, named: EventName | undefined): Native | undefined => {
    if (payload.length > limit) throw replyTooLarge(limit);
    const isError = named === "error";
    if (named !== undefined && !isError && isSignOfLife(payload)) return undefined;
    if (!isError && isComment(payload)) return undefined;
    events++;
    return parseFrame(parse, payload, isError ? named : undefined);
  };
  const dispatch = (next: number): void => {
    const named = name;
    const payload = data || (named === "error" ? "{}" : undefined);
    data = undefined;
    name = undefined;
    if (payload === undefined) return raw.skip(next);
    raw.giveSkipped();
    eventEnd = next;
    onFrame(parseChecked(payload, named), raw.take(next));
  };
  const addLine = (text: string, at: number, end: number): void => {
    const value = dataOf(text, at, end);
    if (value !== undefined) data = data === undefined ? value : `${data}\n${value}`;
    else if (text.startsWith("event", at)) name = eventName(text, at + "event".length, end);
  };

  return {
    take(text) {
      if (events === 0 && start.length < 200) start += text.slice(0, 200);
      raw.begin(text);
      lines.take(text, (line, at, end, next) =>
        at === end ? dispatch(next) : addLine(line, at, end),
      );
      const carried = raw.carry();
      const read = lines.rest().length + (data?.length ?? 0);
      if (read > limit || carried - read > limit) throw replyTooLarge(limit);
    },
    end() {
      const rest = lines.rest();
      addLine(rest, 0, rest.length);
      const pending = data;
      if (pending !== undefined || raw.hasRest()) endsComplete(() => dispatch(0), pending);
      raw.end();
      if (events === 0) throw unreadableReply("a body without an event", start);
    },
    // What follows an event that cannot be read is not given: it may hold events too.
    unread: () => raw.take(eventEnd),
  };
}

/** Not data of several lines: some proxies write a sign of life into the frame of an event. */
const isSignOfLife = (payload: string): boolean =>
  !payload.includes("\n") && !isObjectText(payload);

/** The text of a stream, in the frames that it came in. */
function createRaw<Native>({ keepsRaw, onFrame }: FrameTarget<Native>, skipped: string) {
  let carried = skipped;
  let chunk = "";
  let from = 0;
  let skippedTo = 0;
  const take = (to: number): string => {
    if (!keepsRaw) return "";
    const text = carried + chunk.slice(from, to);
    carried = "";
    from = to;
    return text;
  };
  const giveSkipped = (): void => {
    if (keepsRaw && skippedTo > from) onFrame(undefined, take(skippedTo));
  };
  return {
    begin(text: string): void {
      chunk = text;
    },
    take,
    giveSkipped,
    /** Comments and blank lines of one chunk are one frame, because they may be very many. */
    skip(to: number): void {
      skippedTo = to;
    },
    /** Keeps what is left of the chunk. Returns its length. */
    carry(): number {
      giveSkipped();
      carried = take(chunk.length);
      chunk = "";
      from = 0;
      skippedTo = 0;
      return carried.length;
    },
    hasRest: (): boolean => carried !== "",
    /** Gives what is left at the end of the stream. */
    end(): void {
      if (carried !== "") onFrame(undefined, take(chunk.length));
    },
  };
}

const colon = 58;
const space = 32;
/** The data of a line. A line that is JSON has no field name: some proxies write errors so. */
function dataOf(text: string, at: number, end: number): string | undefined {
  if (text.charCodeAt(at) === brace && end > at) return text.slice(at, end);
  if (!text.startsWith("data", at)) return undefined;
  const after = at + 4;
  if (after >= end) return after === end ? "" : undefined;
  if (text.charCodeAt(after) !== colon) return undefined;
  const from = text.charCodeAt(after + 1) === space ? after + 2 : after + 1;
  return from < end ? text.slice(from, end) : "";
}

const eventNames = ["error", "ping", "heartbeat", "keepalive", "keep-alive"] as const;
type EventName = (typeof eventNames)[number];
const longestKnown = "keep-alive".length;

/** The known name that is all that follows `event:`. */
function eventName(text: string, at: number, end: number): EventName | undefined {
  if (text.charCodeAt(at) !== colon) return undefined;
  const from = text.charCodeAt(at + 1) === space ? at + 2 : at + 1;
  // Most names are longer, and each event of Messages and Responses has one.
  if (end - from > longestKnown) return undefined;
  return eventNames.find((name) => end - from === name.length && text.startsWith(name, from));
}

/** The last event may lack its blank line. It counts if its data is complete, else it was cut. */
function endsComplete(dispatch: () => void, pending: string | undefined): void {
  try {
    dispatch();
  } catch (cause) {
    throw cutEvent(pending ?? "", cause);
  }
}
