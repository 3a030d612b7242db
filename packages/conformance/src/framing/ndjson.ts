import {
  type FrameStyle,
  type Framing,
  firstHalf,
  pageInReply,
  rewriteText,
  splitText,
  utf8,
} from "./framing.ts";

const endedBy = (lineEnd: string, before = ""): FrameStyle => ({
  // A last line counts without its end if its JSON is complete.
  tailLength: lineEnd.length,
  write: (data, index) => utf8(`${index === 0 ? before : ""}${data}${lineEnd}`),
});

const usualLine = endedBy("\n");
const crlf = endedBy("\r\n");

/** Lines of JSON, one event each. https://github.com/ndjson/ndjson-spec */
export const ndjsonFraming: Framing = {
  headers: { "content-type": "application/x-ndjson" },
  usual: usualLine,
  ends: [usualLine, crlf],
  styles: {
    "lines that end in CRLF": crlf,
    "blank lines between the lines": endedBy("\n\n", "\n"),
    "blank lines that end in CRLF": endedBy("\r\n\r\n"),
    "white space around the JSON": { tailLength: 2, write: (data) => utf8(` ${data}\t\n`) },
  },
  innerCuts: [],
  damages: {
    torn: (data) => usualLine.write(firstHalf(data), 0),
    "after a page": (data) => utf8(`${pageInReply}\n${data}\n`),
  },
  emptyBodies: {
    "only blank lines": utf8("\n\r\n\n"),
    "only the end of a stream of server-sent events": utf8("data: [DONE]\n\n"),
  },
  foreignEnds: [],
  read: (bytes) => {
    const lines = new TextDecoder().decode(bytes).split("\n");
    const rest = lines.pop() ?? "";
    return { events: lines.filter((line) => line.trim() !== ""), rest: utf8(rest) };
  },
  rewrite: rewriteText,
  splitAt: (data, marker) => splitText(usualLine.write(data, 0), marker),
};
