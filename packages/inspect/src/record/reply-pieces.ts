import type { Preview } from "@fullstop/core";
import type { RunEvent } from "@fullstop/loop";
import { createTextStream, type Slot, type TextStream } from "./text-stream.ts";

/** Where and when a piece arrived. */
type PiecePosition = Pick<RunEvent, "at" | "runId" | "path" | "turnNumber">;

export interface ReplyPiece extends PiecePosition {
  readonly type: "chunk";
  readonly natives: readonly unknown[];
  readonly previews: readonly Preview[];
}

export interface PieceOptions {
  readonly redactsKeys: boolean;
  /** Redacts whole texts, so the pieces of a reply wait for the last one. */
  readonly redact: ((text: string) => string) | undefined;
  /** A copy of native events. It may be changed, and its texts are not redacted. */
  readonly copy: (natives: readonly unknown[]) => unknown;
  readonly write: (piece: ReplyPiece) => void;
}

export interface ReplyPieces {
  addPreview(preview: Preview & PiecePosition): void;
  addChunk(natives: readonly unknown[], position: PiecePosition): void;
  flush(): void;
}

interface ReplyText {
  readonly stream: TextStream;
  readonly slots: Slot[];
}

/** A piece that may end in a key waits for the next one: a key in both is redacted in both. */
export function createReplyPieces({ redactsKeys, redact, copy, write }: PieceOptions): ReplyPieces {
  let previews: WritablePreview[] = [];
  let lastPosition: PiecePosition | undefined;
  let held: ReplyPiece[] = [];
  const texts = new Map<string, ReplyText>();

  const watch = (name: string, slot: Slot): void => {
    const text = texts.get(name) ?? { stream: createTextStream(), slots: [] };
    texts.set(name, text);
    if (redactsKeys) text.stream.add(slot);
    if (redact !== undefined) text.slots.push(slot);
  };
  const writeHeld = (): void => {
    const pieces = held;
    held = [];
    for (const piece of pieces) write(piece);
  };
  const addPiece = (natives: readonly unknown[], position: PiecePosition): void => {
    const { at, runId, path, turnNumber } = position;
    const copied = copy(natives) as readonly unknown[];
    watchPreviews(previews, watch);
    watchNatives(copied, watch);
    const piece = { type: "chunk", at, runId, path, turnNumber, natives: copied } as const;
    held.push({ ...piece, previews: previews as readonly Preview[] });
    previews = [];
  };
  return {
    addPreview: (preview) => {
      lastPosition = preview;
      const { at: _at, runId: _runId, path: _path, turnNumber: _turn, ...body } = preview;
      const next: WritablePreview = body;
      const last = previews.at(-1);
      if (last !== undefined && isContinued(last, next)) last.text = `${last.text}${next.text}`;
      else previews.push(next);
    },
    addChunk: (natives, position) => {
      addPiece(natives, position);
      const isUndecided = [...texts.values()].some(({ stream }) => stream.isUndecided);
      if (redact === undefined && !isUndecided) writeHeld();
    },
    flush: () => {
      if (previews.length > 0 && lastPosition !== undefined) addPiece([], lastPosition);
      if (redact !== undefined) for (const { slots } of texts.values()) redactSlots(slots, redact);
      texts.clear();
      writeHeld();
    },
  };
}

/** Redacts a text that lies in several pieces. If it changes, the first piece gets all of it. */
function redactSlots(slots: readonly Slot[], redact: (text: string) => string): void {
  const whole = slots.map((slot) => slot.get()).join("");
  const changed = redact(whole);
  if (changed === whole) return;
  for (const [index, slot] of slots.entries()) slot.set(index === 0 ? changed : "");
}

/** A preview of which the text may still change. */
type WritablePreview = { -readonly [Key in keyof Preview]: Preview[Key] } & {
  text?: string | undefined;
  readonly key?: string | number;
};
/** Called for each text of a piece. Texts of one name continue each other. */
type Watch = (name: string, slot: Slot) => void;

const memberSlot = (holder: object, name: string | number): Slot => {
  const members = holder as Record<string | number, unknown>;
  return {
    get: () => String(members[name]),
    set: (text) => {
      members[name] = text;
    },
  };
};

const continued: ReadonlySet<Preview["type"]> = new Set(["text", "thinking", "tool-input-delta"]);
/** Whether a preview only continues the text of the one before it. */
const isContinued = (previous: WritablePreview, next: WritablePreview): boolean =>
  continued.has(next.type) && previous.type === next.type && previous.key === next.key;

/** Watches the texts of previews. The text of an end is whole: it replaces the pieces before it. */
function watchPreviews(previews: readonly WritablePreview[], watch: Watch): void {
  for (const [index, preview] of previews.entries()) {
    const { type, key, text } = preview;
    if (text === undefined) continue;
    const name = type === "tool-input-end" ? `end ${key} ${index}` : `${type} ${key}`;
    watch(name, memberSlot(preview, "text"));
  }
}

/** These do not continue what the event before has under the same name. */
const wholeTexts: ReadonlySet<string> = new Set(["type", "id", "object", "model", "role"]);
/** What tells the parts of a reply apart that arrive side by side. */
const indices: readonly string[] = ["index", "output_index", "content_index", "item_id"];

/** Watches all texts of native events. Texts in the same place of two events continue each other. */
function watchNatives(natives: readonly unknown[], watch: Watch): void {
  for (const [index, native] of natives.entries())
    if (typeof native === "string") watch("native", memberSlot(natives, index));
    else if (typeof native === "object" && native !== null) watchTexts(native, "native", watch);
}

function watchTexts(holder: object, path: string, watch: Watch): void {
  const place = indices.reduce((known, name) => {
    const index = (holder as Readonly<Record<string, unknown>>)[name];
    return index === undefined || Array.isArray(holder) ? known : `${known}#${String(index)}`;
  }, path);
  for (const [name, value] of Object.entries(holder)) {
    if (typeof value === "object" && value !== null) watchTexts(value, `${place}.${name}`, watch);
    else if (typeof value === "string" && !wholeTexts.has(name))
      watch(`${place}.${name}`, memberSlot(holder, name));
  }
}
