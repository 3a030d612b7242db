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

/** A body that is one JSON text. `undefined` if it is a stream. */
export function parseJsonBody(body: string, reset: boolean): Received | undefined {
  if (!/^\s*[{[]/.test(body)) return undefined;
  const json = body.replace(/\s*\ndata: \[DONE\]\s*$/, "");
  return { ...parseAll(reset ? [] : [json]), whole: true, reset };
}

/** Parses the data of events, up to the first one that is unreadable. */
export function parseAll(texts: readonly string[]): Pick<Received, "events" | "damage"> {
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
