import { parseAll, parseJsonBody, type Received } from "../received.ts";
import type { Framing } from "./framing.ts";

/** Lines of JSON. https://github.com/ndjson/ndjson-spec */
export const lines: Framing = {
  type: "application/x-ndjson",
  namesErrors: false,
  hasChecksums: false,
  encode(frames, { newline, comments, open }) {
    const end = newline === "\r" ? "\n" : newline;
    const texts = frames.map(
      ({ data }, position) => (comments && position % 3 === 0 ? end : "") + data,
    );
    return new TextEncoder().encode(texts.join(end) + (open ? "" : end));
  },
  parse: parseLines,
};

/** Only a body in one piece is spread over several lines. */
function parseLines(bytes: Uint8Array, reset: boolean): Received {
  const body = new TextDecoder().decode(bytes);
  // A line whose end was cut between its two characters is complete.
  const texts = body.split(/\r?\n|\r$/).slice(0, reset ? -1 : undefined);
  const filled = texts.filter((line) => line.trim() !== "");
  const isSpread = /^\s*\{\s*\n/.test(body);
  return (
    (isSpread ? parseJsonBody(body, reset) : undefined) ?? {
      ...parseAll(filled),
      whole: false,
      reset,
    }
  );
}
