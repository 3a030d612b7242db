import { parseExact } from "./json.ts";

/** The received part of a reply. */
export interface Received {
  /** Parsed events; `[DONE]` stays a string. */
  readonly events: readonly unknown[];
  /** One JSON body, not a stream of events. */
  readonly whole: boolean;
  /** Where a payload is unreadable: in the last event, or before it. */
  readonly damage: "none" | "last" | "before";
  /** The connection failed instead of ending. */
  readonly reset: boolean;
}

export const doneMarker = "[DONE]";

/** Parses a body by the standard of server-sent events: lines, fields, blank lines. */
export function parseBody(bytes: Uint8Array, reset: boolean): Received {
  const body = new TextDecoder().decode(bytes);
  if (/^\s*[{[]/.test(body)) return { ...parseAll(reset ? [] : [body]), whole: true, reset };
  return { ...parseAll(eventData(body, !reset)), whole: false, reset };
}

/** `ends`: the body is complete, and its last event too. */
function eventData(body: string, ends: boolean): readonly string[] {
  const events: string[] = [];
  let data: string[] = [];
  const flush = (): void => {
    if (data.length > 0 && data.join("\n") !== "") events.push(data.join("\n"));
    data = [];
  };
  for (const line of body.split(/\r\n|\r|\n/).slice(0, ends ? undefined : -1)) {
    if (line === "") flush();
    else if (line === "data" || line.startsWith("data:"))
      data.push(line.slice(5).replace(/^ /, ""));
  }
  if (ends) flush();
  return events;
}

function parseAll(texts: readonly string[]): Pick<Received, "events" | "damage"> {
  const events: unknown[] = [];
  for (const [position, text] of texts.entries()) {
    try {
      events.push(text.trim() === doneMarker ? doneMarker : parseExact(text));
    } catch {
      return { events, damage: position === texts.length - 1 ? "last" : "before" };
    }
  }
  return { events, damage: "none" };
}
