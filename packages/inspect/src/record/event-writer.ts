import type { Preview } from "@fullstop/core";
import type { RunEvent } from "@fullstop/loop";
import type { RecordedEvent, RecordingHead } from "../recording.ts";
import { RecordingError } from "../recording-error.ts";
import { eventParts, type Part, placeOf } from "../recording-parts.ts";
import { toPlainValue } from "./plain-value.ts";
import { createReplyPieces, type ReplyPieces } from "./reply-pieces.ts";
import { redactText } from "./text-stream.ts";

/** The line of an event, without its end. `toPlain` copies what is not shared. */
type EncodeEvent = (event: RecordedEvent, toPlain: (value: unknown) => unknown) => string;

type LinePosition = Pick<RecordedEvent, "runId" | "path" | "turnNumber">;

interface Shared {
  readonly numbers: WeakMap<object, number>;
  /** Instructions, which are mostly the same text in each request. Only the last ones are known. */
  readonly texts: Map<string, number>;
  count: number;
  readonly lists: Map<string, readonly unknown[]>;
}

function createEventEncoder(): EncodeEvent {
  const shared: Shared = {
    numbers: new WeakMap(),
    texts: new Map(),
    count: 0,
    lists: new Map(),
  };
  let last: LinePosition | undefined;
  return (event, toPlain) => {
    const { type, at, runId, path, turnNumber, ...body } = event;
    const place = placeOf(runId, path);
    const encoding: Encoding = { shared, place, toPlain };
    const line = {
      type,
      at,
      ...changesOf({ runId, path, turnNumber }, last),
      ...(encodePart(body, eventParts.get(type) ?? {}, encoding) as object),
    };
    last = { runId, path, turnNumber };
    if (type === "end") forget(shared.lists, place, path.length === 0 ? runId : undefined);
    return JSON.stringify(line);
  };
}

function changesOf(position: LinePosition, last: LinePosition | undefined): Partial<LinePosition> {
  const { runId, path, turnNumber } = position;
  if (last === undefined) return position;
  const isSamePath =
    path === last.path ||
    (path.length === last.path.length && path.every((key, depth) => key === last.path[depth]));
  return {
    ...(runId !== last.runId && { runId }),
    ...(!isSamePath && { path }),
    ...(turnNumber !== last.turnNumber && { turnNumber }),
  };
}

function forget(
  lists: Map<string, readonly unknown[]>,
  place: string,
  endedRun: string | undefined,
): void {
  lists.delete(place);
  if (endedRun === undefined) return;
  const beginning = placeOf(endedRun, []).slice(0, -1);
  for (const key of lists.keys()) if (key.startsWith(beginning)) lists.delete(key);
}

interface Encoding {
  readonly shared: Shared;
  readonly place: string;
  readonly toPlain: (value: unknown) => unknown;
}

function encodePart(value: unknown, part: Part, encoding: Encoding): unknown {
  if (value === undefined || value === null) return value;
  if (part.list && Array.isArray(value)) return encodeList(value, part, encoding);
  if (!part.shared) return encodeInside(value, part, encoding);
  const known = numberOf(value, encoding.shared);
  if (known !== undefined) return known;
  const number = remember(value, encoding.shared);
  return [number, encodeInside(value, part, encoding)];
}

function encodeInside(value: unknown, part: Part, encoding: Encoding): unknown {
  const { each, members } = part;
  if (each !== undefined && Array.isArray(value))
    return value.map((one) => encodePart(one, each, encoding));
  if (members === undefined || typeof value !== "object" || value === null)
    return encoding.toPlain(value);
  const own = Object.entries(value);
  const plain = encoding.toPlain(
    Object.fromEntries(own.filter(([name]) => !Object.hasOwn(members, name))),
  );
  const encoded = own.flatMap(([name, member]) => {
    const inner = Object.hasOwn(members, name) ? members[name] : undefined;
    return inner === undefined ? [] : [[name, encodePart(member, inner, encoding)]];
  });
  return { ...(plain as object), ...Object.fromEntries(encoded) };
}

function encodeList(value: readonly unknown[], part: Part, encoding: Encoding): unknown {
  const { shared, place } = encoding;
  const before = shared.lists.get(place) ?? [];
  let after = 0;
  while (after < value.length && after < before.length && value[after] === before[after]) after++;
  shared.lists.set(place, value);
  const more = value.slice(after).map((one) => encodePart(one, part.each ?? {}, encoding));
  return { after, more };
}

const numberOf = (value: unknown, { numbers, texts }: Shared): number | undefined => {
  if (typeof value === "string") return texts.get(value);
  return typeof value === "object" && value !== null ? numbers.get(value) : undefined;
};

function remember(value: unknown, shared: Shared): number {
  shared.count += 1;
  if (typeof value === "string") rememberText(value, shared);
  else if (typeof value === "object" && value !== null) shared.numbers.set(value, shared.count);
  return shared.count;
}

/** A program may write other instructions for each run, and record for years. */
const maxTexts = 100;

function rememberText(text: string, { texts, count }: Shared): void {
  const [oldest] = texts.keys();
  if (texts.size >= maxTexts && oldest !== undefined) texts.delete(oldest);
  texts.set(text, count);
}

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
