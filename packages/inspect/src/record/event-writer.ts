import type { Preview } from "@fullstop/core";
import type { RunEvent } from "@fullstop/loop";
import type { RecordedEvent, RecordingHead } from "../recording.ts";
import { RecordingError } from "../recording-error.ts";
import { placeOf } from "../recording-parts.ts";
import { createEventEncoder } from "./encode-event.ts";
import { toPlainValue } from "./plain-value.ts";
import { createReplyPieces, type ReplyPieces } from "./reply-pieces.ts";
import { redactText } from "./text-stream.ts";

export interface EventWriterOptions {
  readonly redact: ((text: string) => string) | undefined;
  readonly redactKeys: boolean;
  readonly append: (line: string) => void;
}

export interface EventWriter {
  add(event: RunEvent): void;
  flush(): void;
}

const isPreview = (event: RunEvent): event is RunEvent & Preview => previewTypes.has(event.type);
const previewTypes: ReadonlySet<RunEvent["type"]> = new Set<Preview["type"]>([
  "text",
  "thinking",
  "tool-input-start",
  "tool-input-delta",
  "tool-input-end",
]);

export function createEventWriter(options: EventWriterOptions): EventWriter {
  const { redactKeys: redactsNames, append } = options;
  const redact = options.redact && safeRedact(options.redact);
  const head: RecordingHead = { recording: "fullstop", version: 1, startedAt: Date.now() };
  append(JSON.stringify(head));
  const encode = createEventEncoder();
  const replies = new Map<string, ReplyPieces>();

  const withoutKeys = redactsNames ? redactText : same;
  const text = redact === undefined ? withoutKeys : (whole: string) => redact(withoutKeys(whole));
  const toPlain = (value: unknown): unknown => toPlainValue(value, { text, redactsNames });
  const repliesOf = ({ runId, path }: RunEvent): ReplyPieces => {
    const place = placeOf(runId, path);
    const known =
      replies.get(place) ??
      createReplyPieces({
        redactsKeys: redactsNames,
        redact,
        copy: (natives) => toPlainValue(natives, { text: same, redactsNames }),
        write: (piece) => append(encode(piece as RecordedEvent, same)),
      });
    replies.set(place, known);
    return known;
  };
  return {
    add: (event) => {
      // The texts of an object that arrives are in the pieces of its reply.
      if (event.type === "output") return;
      const pieces = repliesOf(event);
      if (isPreview(event)) pieces.addPreview(event);
      else if (event.type === "chunk") pieces.addChunk(event.natives, event);
      else {
        pieces.flush();
        append(encode(event, toPlain));
      }
      if (event.type === "end") replies.delete(placeOf(event.runId, event.path));
    },
    flush: () => {
      for (const pieces of replies.values()) pieces.flush();
    },
  };
}

const same = <Value>(value: Value): Value => value;

/** @throws RecordingError if the caller's function fails: the text is not recorded. */
const safeRedact =
  (redact: (text: string) => unknown) =>
  (text: string): string => {
    try {
      const redacted = redact(text);
      if (typeof redacted === "string") return redacted;
    } catch (thrown) {
      throw redactFailed("threw an error", thrown);
    }
    throw redactFailed("did not return a text");
  };

const redactFailed = (what: string, cause?: unknown): RecordingError =>
  new RecordingError(
    "redact-failed",
    `The option \`redact\` of the recorder ${what}. Nothing more is recorded.`,
    cause,
  );
