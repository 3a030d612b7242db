import type { EventBatches } from "../contract/adapter.ts";
import { defaultMaxBytes, type EventOptions, openBody } from "./body.ts";
import { cutEvent, emptyReply, replyTooLarge } from "./faults.ts";
import { createLines } from "./lines.ts";
import {
  createWholeReader,
  decodeText,
  type FrameTarget,
  isComment,
  parseEvent,
  parseFrame,
  type TextReader,
} from "./text-reader.ts";

/**
 * The native events of an HTTP response whose lines are JSON (NDJSON, JSON Lines): each line is one
 * event, and blank lines and comments are skipped. A JSON body that is spread over several lines is one event.
 * The last line may lack its end; if its JSON is not complete either, the reply was cut. Throws as
 * `sse` does.
 * https://github.com/ndjson/ndjson-spec
 */
export function ndjson<Native>(
  response: Response,
  { parse = parseEvent, maxBytes = defaultMaxBytes }: EventOptions<Native> = {},
): Promise<EventBatches<Native>> {
  return openBody(response, (add) =>
    decodeText(
      createNdjsonReader({
        parse,
        limit: maxBytes,
        onFrame: (native) => native !== undefined && add(native),
      }),
    ),
  );
}

/** A line that cannot be JSON on its own: a JSON body over several lines begins with one. */
const openingLine = /^[[{\s]+$/;

function createNdjsonReader<Native>(target: FrameTarget<Native>): TextReader {
  const { parse, limit, onFrame } = target;
  const lines = createLines();
  let whole: TextReader | undefined;
  let events = 0;
  const readLine = (line: string): void => {
    if (whole !== undefined) return whole.take(`${line}\n`);
    const data = line.trimStart();
    if (data === "" || isComment(data)) return;
    if (data.length > limit) throw replyTooLarge(limit);
    if (events === 0 && openingLine.test(data)) {
      whole = createWholeReader(target);
      return whole.take(`${data}\n`);
    }
    events++;
    onFrame(parseFrame(parse, data), "");
  };

  return {
    take(text) {
      lines.take(text, (chunk, at, end) => at < end && readLine(chunk.slice(at, end)));
      if (lines.rest().length > limit) throw replyTooLarge(limit);
    },
    end() {
      const rest = lines.rest();
      if (whole !== undefined) {
        whole.take(rest);
        return whole.end();
      }
      if (rest.trim() !== "") return readLastLine(target, rest, events);
      if (events === 0) throw emptyReply();
    },
    unread: () => "",
  };
}

/** The last line may lack its end. It counts if its JSON is complete, else it was cut. */
function readLastLine<Native>(target: FrameTarget<Native>, rest: string, events: number): void {
  if (events === 0) {
    const body = createWholeReader(target);
    body.take(rest.trimStart());
    return body.end();
  }
  let native: Native | undefined;
  try {
    native = target.parse(rest);
  } catch (cause) {
    throw cutEvent(rest, cause);
  }
  target.onFrame(native, "");
}
