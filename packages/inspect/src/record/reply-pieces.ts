import type { Preview } from "@fullstop/core";
import type { RunEvent } from "@fullstop/loop";
import { isContinued, type WritablePreview, watchNatives, watchPreviews } from "./piece-texts.ts";
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
  addPreview(preview: Preview, position: PiecePosition): void;
  addChunk(natives: readonly unknown[], position: PiecePosition): void;
  flush(): void;
}

interface ReplyText {
  readonly stream: TextStream;
  /** All of its pieces, if they wait for the last one. */
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
    addPreview: (preview, position) => {
      lastPosition = position;
      const {
        type,
        at: _at,
        runId: _runId,
        path: _path,
        turnNumber: _turn,
        ...body
      } = {
        ...position,
        ...preview,
      };
      const next: WritablePreview = { type, ...body };
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
