import type { ClientReading, WireClient } from "../client.ts";
import { utf8 } from "../harness/bytes.ts";
import { tryParseJson } from "../harness/json.ts";

/** What left a guard as the answer to one request. */
export interface LeftReply {
  readonly status: number;
  readonly text: string;
  /** The connection broke behind the text. */
  readonly isBroken: boolean;
}

/**
 * Reads a response to its end. `onText` gets all the text so far, again for each piece.
 */
export async function drain(
  response: Response,
  onText?: (text: string) => void,
): Promise<LeftReply> {
  const { status, body } = response;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const reader = body?.getReader();
  let text = "";
  try {
    for (let step = await reader?.read(); step?.done === false; step = await reader?.read()) {
      text += decoder.decode(step.value, { stream: true });
      onText?.(text);
    }
    return { status, text: text + decoder.decode(), isBroken: false };
  } catch {
    // A broken connection is one of the things that a guard may do.
    return { status, text, isBroken: true };
  }
}

/** A stream as the data of its events. */
interface SplitStream {
  readonly events: readonly unknown[];
  /** The data that is not JSON. */
  readonly unreadable: readonly string[];
}

const lineEnd = /\r\n|\n|\r/;
const isJsonText = (text: string): boolean => /^\s*[[{]/.test(text);

/** The frames of a stream. The last one may lack its blank line. */
export const framesOf = (text: string): readonly string[] =>
  text.split(/(?<=\n\n|\r\n\r\n|\r\r)/).filter((frame) => frame !== "");

const dataOf = (frame: string): string | undefined => {
  const lines = frame.split(lineEnd).filter((line) => line.startsWith("data:"));
  return lines.length === 0
    ? undefined
    : lines.map((line) => line.slice(5).replace(/^ /, "")).join("\n");
};

function splitStream(text: string): SplitStream {
  const events: unknown[] = [];
  const unreadable: string[] = [];
  for (const data of framesOf(text).map(dataOf)) {
    if (data === undefined) continue;
    const value = data === "[DONE]" ? data : tryParseJson(data);
    if (value === undefined) unreadable.push(data);
    else events.push(value);
  }
  return { events, unreadable };
}

/** What a naive client makes of a text, and what it cannot read. */
export interface LeftReading extends ClientReading {
  readonly unreadable: readonly string[];
}

/** Reads a stream or a JSON body with the client of the wire. */
export function readLeft(client: WireClient, marked: string): LeftReading {
  const text = marked.replace(/^\uFEFF/, "");
  if (isJsonText(text)) {
    const body = tryParseJson(text);
    return { ...client.readBody(body), unreadable: body === undefined ? [text] : [] };
  }
  const { events, unreadable } = splitStream(text);
  return { ...client.readStream(events), unreadable };
}

/** Where two texts differ, for a person. */
export function describeDifference(expected: string, actual: string): string {
  let at = 0;
  while (at < expected.length && expected[at] === actual[at]) at++;
  const excerpt = (text: string): string => JSON.stringify(text.slice(at, at + 120));
  return expected === actual
    ? `the same ${utf8(expected).length} bytes`
    : `other bytes: ${excerpt(actual)} in place of ${excerpt(expected)}`;
}
