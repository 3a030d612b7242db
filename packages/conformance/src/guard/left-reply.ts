import type { ClientReading } from "../client.ts";
import { eventData } from "../framing/sse.ts";
import { utf8 } from "../harness/bytes.ts";
import { tryParseJson } from "../harness/json.ts";
import type { Wire } from "../wire.ts";

/** What left a guard as the answer to one request. */
export interface LeftReply {
  readonly status: number;
  readonly text: string;
  /** The connection broke behind the text. */
  readonly isBroken: boolean;
}

/** Reads a response to its end. `onText` gets all the text so far, again for each piece. */
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

const isJsonText = (text: string): boolean => /^\s*[[{]/.test(text);

/** The frames of a stream. The last one may lack its blank line. */
export const framesOf = (text: string): readonly string[] =>
  text.split(/(?<=\n\n|\r\n\r\n|\r\r)/).filter((frame) => frame !== "");

/** What a naive client makes of a text, and what it cannot read. */
export interface LeftReading extends ClientReading {
  readonly unreadable: readonly string[];
}

/** Reads a stream or a body with the client of the wire: without it no clause asks for that. */
export function readLeft({ client, name }: Wire, marked: string): LeftReading {
  if (client === undefined) throw new Error(`The wire ${name} has no client.`);
  const text = marked.replace(/^\uFEFF/, "");
  if (isJsonText(text)) {
    const body = tryParseJson(text);
    return { ...client.readBody(body), unreadable: body === undefined ? [text] : [] };
  }
  const read = eventData(text).map((data) => ({
    data,
    event: data === "[DONE]" ? data : tryParseJson(data),
  }));
  return {
    ...client.readStream(read.flatMap(({ event }) => (event === undefined ? [] : [event]))),
    unreadable: read.flatMap(({ data, event }) => (event === undefined ? [data] : [])),
  };
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
