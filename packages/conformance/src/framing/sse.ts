import { eventStream } from "../harness/host.ts";
import { isObject, memoize, tryParseJson } from "../harness/json.ts";
import {
  type FrameStyle,
  type Framing,
  firstHalf,
  pageInReply,
  rewriteText,
  splitText,
  utf8,
} from "./framing.ts";

/** A way to write frames as server-sent events. All of these ways are legal. */
interface SseForm {
  readonly lineEnd?: "\n" | "\r\n" | "\r";
  /** Text before the first frame: a byte order mark or a comment. */
  readonly lead?: string;
  /** Lines before each frame: comments, ids. `\n` is replaced by the line end. */
  readonly before?: string;
  /** The line of the `event:` field. By default it is written as the vendor writes it. */
  readonly event?: (type: string | undefined) => string;
  readonly data?: (payload: string) => string;
}

/** The type at the beginning of a payload that is torn. The `event:` line stands before the tear. */
const tornType = /^\{"type":"([\w.]+)",/;
/** The name of the event that has this data, if the protocol names its events. */
export const eventTypeOf: (payload: string) => string | undefined = memoize(
  (payload: string): string | undefined => {
    const value = tryParseJson(payload);
    if (value === undefined) return tornType.exec(payload)?.[1];
    return isObject(value) && typeof value["type"] === "string" ? value["type"] : undefined;
  },
);
const usualForm = {
  event: (type: string | undefined): string => (type === undefined ? "" : `event: ${type}\n`),
  data: (payload: string): string => `data: ${payload}`,
};

function toStyle({
  lineEnd = "\n",
  lead = "",
  before = "",
  event = usualForm.event,
  data = usualForm.data,
}: SseForm): FrameStyle {
  return {
    // A blank line, and the end of the line before it.
    tailLength: 2 * lineEnd.length,
    write: (payload, index) => {
      const head = (index === 0 ? lead : "") + before + event(eventTypeOf(payload));
      return utf8(`${head}${data(payload)}\n\n`.replaceAll("\n", lineEnd));
    },
  };
}

const byteOrderMark = "\uFEFF";
const dataLines = (payload: string): string => {
  const value = tryParseJson(payload);
  const text = value === undefined ? payload : JSON.stringify(value, null, 1);
  return text
    .split("\n")
    .map((line) => `data: ${line}`)
    .join("\n");
};

const usualEvent = toStyle({});
export const crlfStyle: FrameStyle = toStyle({ lineEnd: "\r\n" });
const cr = toStyle({ lineEnd: "\r" });

export const sseFraming: Framing = {
  headers: eventStream,
  usual: usualEvent,
  ends: [usualEvent, crlfStyle, cr],
  styles: {
    "lines that end in CRLF": crlfStyle,
    "lines that end in CR": cr,
    "a byte order mark": toStyle({ lead: byteOrderMark }),
    "comments between the frames": toStyle({ lead: ": hello\n\n", before: ": keep-alive\n\n:\n" }),
    "a comment inside each frame": toStyle({ before: ": inside\n" }),
    "data of several lines": toStyle({ data: dataLines }),
    "data of several lines that end in CRLF": toStyle({ lineEnd: "\r\n", data: dataLines }),
    "no space after the colon": toStyle({
      event: (type) => (type === undefined ? "" : `event:${type}\n`),
      data: (payload) => `data:${payload}`,
    }),
    "no event names": toStyle({ event: () => "" }),
    "the same event name on every frame": toStyle({ event: () => "event: message\n" }),
    "ids and retry times": toStyle({ before: "id: 7\nretry: 3000\n" }),
  },
  innerCuts: [],
  damages: {
    torn: (data) => usualEvent.write(firstHalf(data), 0),
    "after a page": (data) =>
      utf8(`data: ${pageInReply}\n\n${decodeFrames(usualEvent.write(data, 0))}`),
  },
  emptyBodies: {
    "only comments": utf8(": keep-alive\n\n: keep-alive\n\n"),
    "only the end of streams of another protocol": utf8("data: [DONE]\n\n"),
  },
  foreignEnds: ["[DONE]"],
  read: (bytes) => ({ events: eventData(decodeFrames(bytes)), rest: utf8("") }),
  rewrite: rewriteText,
  splitAt: (data, marker) => splitText(usualEvent.write(data, 0), marker),
};

const decodeFrames = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const dataOf = (frame: string): readonly string[] => {
  const lines = frame.split("\n").filter((line) => /^data(?::|$)/.test(line));
  return lines.length === 0
    ? []
    : [lines.map((line) => line.slice(5).replace(/^ /, "")).join("\n")];
};
/**
 * The data of each event. The last one may lack its blank line.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export const eventData = (text: string): readonly string[] =>
  text.replaceAll(/\r\n?/g, "\n").split("\n\n").flatMap(dataOf);
