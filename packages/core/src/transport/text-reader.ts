import { ProviderError } from "../contract/error.ts";
import { parseJson } from "../json/json.ts";
import { parsePartialJson } from "../json/partial-json.ts";
import type { BodyReader, ParseEvent } from "./body.ts";
import { cutBody, replyTooLarge, unreadableFrame, unreadableReply } from "./faults.ts";

/** Turns text into frames. If it throws, the frames before the fault were passed on. */
export interface TextReader {
  take(text: string): void;
  end(): void;
  /** The text that came after the last frame. Empty if `keepsRaw` is not set. */
  unread(): string;
}

export interface FrameTarget<Native> {
  readonly parse: ParseEvent<Native>;
  /** The largest number of characters of one event, or of a JSON body. */
  readonly limit: number;
  /**
   * Receives each frame. `native` is `undefined` for a comment, and for data that `parse` skips.
   * `raw` is the text of the frame, its end included; empty if `keepsRaw` is not set.
   */
  readonly onFrame: (native: Native | undefined, raw: string) => void;
  readonly keepsRaw?: true;
  /** Called once if the body is JSON instead of a stream. */
  readonly onWhole?: () => void;
}

/**
 * A comment that a gateway sends as data (anomalyco/opencode#50871, mnfst/llm-gateway#2053): no JSON
 * begins with a colon. Data of several lines is none: it may hold a part of an event.
 */
export const isComment = (data: string): boolean => /^[ \t]*:/.test(data) && !data.includes("\n");

/** The character code of `{`. */
export const brace = 123;
/** Parses JSON. The `[DONE]` that some hosts append, some with quotes, is skipped. */
export const parseEvent = (data: string): undefined =>
  data.charCodeAt(0) !== brace && /^"?\[DONE\]/.test(data) ? undefined : parseJson(data);

/**
 * Parses events. One that is named `error` is an error, also if its data has no known shape or is
 * not JSON: the SDKs of some vendors stop there. `toError` returns the event if it is an error that
 * the protocol knows.
 */
export const parseErrorEvents =
  <Native>(
    parse: (data: string) => Native | undefined,
    toError: (native: Native | undefined, data: string) => Native,
  ): ParseEvent<Native> =>
  (data, name) =>
    name === undefined ? parse(data) : toError(parseIfPossible(parse, data), data);

function parseIfPossible<Native>(
  parse: (data: string) => Native | undefined,
  data: string,
): Native | undefined {
  try {
    return parse(data);
  } catch {
    return undefined;
  }
}

export function parseFrame<Native>(
  parse: FrameTarget<Native>["parse"],
  data: string,
  name?: "error",
): Native | undefined {
  try {
    return parse(data, name);
  } catch (cause) {
    throw unreadableFrame(data, cause);
  }
}

/** Passes on the text before an invalid byte, and a byte order mark if `ignoreBOM` is set. */
export function decodeText(
  reader: TextReader,
  { ignoreBOM = true }: { readonly ignoreBOM?: boolean } = {},
): BodyReader {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM });
  return {
    take(bytes) {
      const { text, failure } = decode(decoder, bytes);
      reader.take(text);
      if (failure !== undefined) throw failure;
    },
    end() {
      try {
        reader.take(decoder.decode());
      } catch (cause) {
        throw new ProviderError("The reply ends in the middle of a character.", {
          kind: "cut",
          cause,
        });
      }
      reader.end();
    },
    unread: reader.unread,
  };
}

function decode(
  decoder: TextDecoder,
  bytes: Uint8Array,
): { text: string; failure?: ProviderError } {
  try {
    return { text: decoder.decode(bytes, { stream: true }) };
  } catch (cause) {
    const [text = ""] = new TextDecoder().decode(bytes).split("\ufffd", 1);
    return {
      text,
      failure: new ProviderError("The reply holds bytes that are not UTF-8.", {
        kind: "malformed-reply",
        cause,
      }),
    };
  }
}

const done = "[DONE]";
/** A JSON body without the end of a stream that gateways append (decolua/9router#3492, #1396). */
function withoutDone(text: string): string {
  const trimmed = text.trimEnd();
  if (!trimmed.endsWith(done)) return text;
  const before = trimmed.slice(0, -done.length).trimEnd();
  return before.endsWith("data:") ? before.slice(0, -"data:".length) : text;
}

/** Reads a JSON body as one event. `skipped` is the text before it. */
export function createWholeReader<Native>(
  { parse, limit, onFrame }: FrameTarget<Native>,
  skipped = "",
): TextReader {
  let text = "";
  return {
    take(chunk) {
      text += chunk;
      if (text.length > limit) throw replyTooLarge(limit);
    },
    end() {
      const body = withoutDone(text);
      let native: Native | undefined;
      try {
        native = parse(body);
      } catch (cause) {
        if (parsePartialJson(body) === "invalid")
          throw unreadableReply("a body that is not JSON", text);
        throw cutBody(body, cause);
      }
      onFrame(native, skipped + text);
    },
    unread: () => skipped + text,
  };
}
