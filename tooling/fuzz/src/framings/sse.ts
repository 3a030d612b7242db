import type { Frame, Layout } from "../bytes.ts";
import { parseAll, parseJsonBody, type Received } from "../received.ts";
import type { Framing } from "./framing.ts";

/** Server-sent events. https://html.spec.whatwg.org/multipage/server-sent-events.html */
export const sse: Framing = {
  type: "text/event-stream",
  hasChecksums: false,
  namesErrors: true,
  encode: encodeFrames,
  parse: parseBody,
};

const encoder = new TextEncoder();

function encodeFrames(frames: readonly Frame[], layout: Layout): Uint8Array {
  const { newline, tight, open, names } = layout;
  const colon = tight ? ":" : ": ";
  const lines: string[] = [];
  for (const [position, { name, alwaysNamed = names, data }] of frames.entries()) {
    lines.push(...keepAlives(layout, colon, position));
    if (alwaysNamed && name !== undefined) lines.push(`event${colon}${name}`);
    lines.push(...data.split("\n").map((line) => `data${colon}${line}`));
    if (!open || position < frames.length - 1) lines.push("");
  }
  return encoder.encode(lines.map((line) => line + newline).join(""));
}

const keepAlives = (
  { comments, dataComments }: Layout,
  colon: string,
  position: number,
): readonly string[] => [
  ...(comments && position % 3 === 0 ? [": keep-alive", ""] : []),
  ...(dataComments && position % 2 === 0 ? [`data${colon}: keepalive`, ""] : []),
];

/** Parses a body by the standard: lines, fields, blank lines. */
function parseBody(bytes: Uint8Array, reset: boolean): Received {
  const body = new TextDecoder().decode(bytes);
  return (
    parseJsonBody(body, reset) ?? { ...parseAll(eventData(body, !reset)), whole: false, reset }
  );
}

/**
 * The data of each event. One that is named `error` is an error with any data. `ends`: the
 * body is complete, and its last event too.
 */
function eventData(body: string, ends: boolean): readonly string[] {
  const events: string[] = [];
  let data: string[] = [];
  let name = "";
  const flush = (): void => {
    const text = data.join("\n");
    if (name === "error" && data.length > 0) events.push(JSON.stringify({ error: { text } }));
    // Routers send keep-alives as data: https://github.com/anomalyco/opencode/issues/50871
    else if (text !== "" && !text.startsWith(":")) events.push(text);
    data = [];
    name = "";
  };
  for (const line of body.split(/\r\n|\r|\n/).slice(0, ends ? undefined : -1)) {
    if (line === "") flush();
    else if (line === "data" || line.startsWith("data:"))
      data.push(line.slice(5).replace(/^ /, ""));
    else if (line.startsWith("event:")) name = line.slice(6).replace(/^ /, "");
  }
  if (ends) flush();
  return events;
}
