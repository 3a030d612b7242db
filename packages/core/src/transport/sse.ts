import type { EventBatches } from "../contract/adapter.ts";
import { defaultMaxBytes, type EventOptions, openBody, readBatches } from "./body.ts";
import { createSseReader } from "./sse-frames.ts";
import { decodeText, parseEvent } from "./text-reader.ts";

/**
 * The native events of an HTTP response: server-sent events, or a JSON body as one event. Event
 * names are ignored, except for `error`. Yields the events before a fault, then throws: for a failed status (with its
 * body), HTML, a frame that cannot be read, and a body that was cut or is too large.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export function sse<Native>(
  response: Response,
  { parse = parseEvent, maxBytes = defaultMaxBytes }: EventOptions<Native> = {},
): Promise<EventBatches<Native>> {
  return openBody(response, (add) =>
    decodeText(
      createSseReader({
        parse,
        limit: maxBytes,
        onFrame: (native) => native !== undefined && add(native),
      }),
    ),
  );
}

/**
 * A part of a reply: a native event with the text that it came in. `native` is `undefined` for a
 * comment. `isWhole`: the reply is this JSON body, not a stream.
 */
export interface Frame<Native> {
  readonly raw: string;
  readonly native: Native | undefined;
  readonly isWhole?: true;
}

/** How frames are read. */
export interface FrameOptions<Native> extends EventOptions<Native> {
  /** Called with the size of each chunk before it is read. What it throws ends the frames. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
  /** Ends the body, also one that does not follow the signal of its request. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The frames of the body of an HTTP response. All `raw` texts together are the text of the body.
 * Yields the frames before a fault, and what cannot be read as a comment, but nothing behind it.
 * Then throws, as `sse` does; does not look at the status.
 */
export function readFrames<Native>(
  response: Response,
  { parse = parseEvent, maxBytes = defaultMaxBytes, onBytes, signal }: FrameOptions<Native> = {},
): AsyncGenerator<readonly Frame<Native>[]> {
  let whole: { readonly isWhole?: true } = {};
  const frameOf = (native: Native | undefined, raw: string): Frame<Native> => ({
    raw,
    native,
    ...whole,
  });
  return readBatches<Frame<Native>>(
    response,
    (add) => {
      const reader = decodeText(
        createSseReader({
          parse,
          limit: maxBytes,
          keepsRaw: true,
          onWhole: () => {
            whole = { isWhole: true };
          },
          onFrame: (native, raw) => add(frameOf(native, raw)),
        }),
      );
      return {
        ...reader,
        take(bytes) {
          onBytes?.(bytes.byteLength);
          reader.take(bytes);
        },
      };
    },
    (raw) => frameOf(undefined, raw),
    signal,
  );
}

/**
 * The frames of a text that was read before: an event stream whose events are complete.
 * @throws ProviderError if the text is none.
 */
export function parseFrames<Native>(
  text: string,
  { parse = parseEvent }: Pick<EventOptions<Native>, "parse"> = {},
): readonly Frame<Native>[] {
  const frames: Frame<Native>[] = [];
  const reader = createSseReader<Native>({
    parse,
    limit: Number.POSITIVE_INFINITY,
    keepsRaw: true,
    onFrame: (native, raw) => frames.push({ raw, native }),
  });
  reader.take(text);
  reader.end();
  return frames;
}
