import type { Emit } from "@fullstop/core";
import type { FunctionDelta, ToolDelta } from "./events.ts";
import type { ReplyQuirks } from "./quirks.ts";
import { isObjectText, restated } from "./restated.ts";

/** The inputs of one choice, told apart the way hosts number them. */
export interface Inputs {
  /** `whole`: each of these is a call of its own, not a piece. */
  take(deltas: readonly ToolDelta[], whole: boolean): void;
  takeLegacy(call: FunctionDelta): void;
  /** No more is to come: inputs that were said several times over get the text that counts. */
  settle(): void;
  /** Data that wants to be replayed with the last input; false where there is none. */
  seal(data: Readonly<Record<string, unknown>>): boolean;
}

interface Slot {
  readonly key: number | typeof legacyKey;
  readonly index: number | undefined;
  readonly kind: "text" | undefined;
  id: string | undefined;
  name: string | undefined;
  readonly pieces: string[];
  started: boolean;
  /** What it was settled with. */
  whole: string | undefined;
  seal: Readonly<Record<string, unknown>> | undefined;
}
/** What a piece says, without its blanks. */
interface Piece {
  readonly index: number | undefined;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly text: string;
  readonly kind: "text" | undefined;
  readonly extra: unknown;
}

/** The core takes an input under this key for an echo where others exist. */
const legacyKey = "function_call";

export function createInputs(emit: Emit, quirks: ReplyQuirks, nextKey: () => number): Inputs {
  const slots: Slot[] = [];
  const legacy = openSlot(legacyKey, { index: undefined, kind: undefined });
  const slotFor = (piece: Piece, position: number | undefined): Slot => {
    const known = position === undefined ? undefined : find(slots, piece, position);
    if (known !== undefined && !startsAnother(known, piece, quirks)) return known;
    const slot = openSlot(nextKey(), piece);
    slots.push(slot);
    return slot;
  };
  return {
    take(deltas, whole) {
      let position = deltas.length === 1 ? slots.length - 1 : 0;
      for (const delta of deltas) {
        const piece = readPiece(delta);
        if (!isBlank(piece)) add(slotFor(piece, whole ? undefined : position), piece, emit);
        position++;
      }
    },
    takeLegacy(call) {
      add(legacy, readPiece({ function: call }), emit);
    },
    settle() {
      for (const slot of [...slots, legacy]) settle(slot, quirks, emit);
    },
    seal(data) {
      const slot = slots.findLast(({ started }) => started);
      if (slot !== undefined) sealSlot(slot, data, emit);
      return slot !== undefined;
    },
  };
}

const openSlot = (key: Slot["key"], { index, kind }: Pick<Piece, "index" | "kind">): Slot => ({
  ...{ key, index, kind, id: undefined, name: undefined, pieces: [], started: false, whole: undefined, seal: undefined },
});

/** By index; where there is none, by id; where there is none either, by its place, which for a piece alone is the last input. */
function find(slots: readonly Slot[], { index, id }: Piece, position: number): Slot | undefined {
  const last = slots.at(-1);
  if (index !== undefined) return last?.index === index ? last : slots.findLast((slot) => slot.index === index);
  return id === undefined ? slots[position] : slots.findLast((slot) => slot.id === id);
}

/** Hosts use an index again for the next call, or send none, and the same id; a piece that only restates is no other input. */
function startsAnother(slot: Slot, { index, id, name, text }: Piece, { rotatesIds }: ReplyQuirks): boolean {
  if (name === undefined) return false;
  if (rotatesIds !== true && id !== undefined && slot.id !== undefined && id !== slot.id) return true;
  if (slot.name !== undefined && slot.name !== name) {
    if (isObjectText(slot.pieces.join(""))) return true;
    throw new Error(`The reply gives one tool input two names, ${slot.name} and ${name}.`);
  }
  if (index !== undefined || !mayFollow(slot, text)) return false;
  const before = slot.pieces.join("");
  return before !== text && isObjectText(before);
}

/** Whether one object may end and another begin here; to join and parse the input at every piece would take the square of its length. */
const mayFollow = ({ pieces }: Slot, text: string): boolean =>
  text.trimStart().startsWith("{") && (pieces.at(-1)?.trimEnd().endsWith("}") ?? false);

function add(slot: Slot, { id, name, text, extra }: Piece, emit: Emit): void {
  const isNews = (slot.id === undefined && id !== undefined) || (slot.name === undefined && name !== undefined);
  slot.id ??= id;
  slot.name ??= name;
  if (isNews || !slot.started) start(slot, text, emit);
  if (text !== "" && text !== slot.whole) {
    slot.pieces.push(text);
    emit({ type: "tool-input", key: slot.key, text });
  }
  if (extra !== undefined) sealSlot(slot, { extra_content: extra }, emit);
}

/** An id alone is no input yet, and one whose text is settled takes no late name. */
function start(slot: Slot, text: string, emit: Emit): void {
  if (slot.whole !== undefined || (slot.name === undefined && text === "")) return;
  const isFirst = !slot.started;
  slot.started = true;
  emit({ type: "tool-input-start", key: slot.key, id: slot.id, name: slot.name, kind: slot.kind });
  if (isFirst && slot.seal !== undefined) emit({ type: "seal", key: slot.key, data: slot.seal });
}

function sealSlot(slot: Slot, data: Readonly<Record<string, unknown>>, emit: Emit): void {
  slot.seal = { ...slot.seal, ...data };
  if (slot.started) emit({ type: "seal", key: slot.key, data: slot.seal });
}

function settle(slot: Slot, { restatesArguments }: ReplyQuirks, emit: Emit): void {
  if (slot.kind === "text" || slot.whole !== undefined) return;
  slot.whole = restated(slot.pieces, restatesArguments === true);
  if (slot.whole !== undefined) emit({ type: "tool-input-end", key: slot.key, text: slot.whole });
}

const isBlank = ({ id, name, text, extra }: Piece): boolean => id === undefined && name === undefined && text === "" && extra === undefined;

function readPiece({ index, id, function: called, custom, extra_content: extra }: ToolDelta): Piece {
  const isCustom = custom !== undefined && custom !== null;
  return {
    index: index ?? undefined,
    id: said(id),
    name: said(isCustom ? custom.name : called?.name),
    text: written(isCustom ? custom.input : called?.arguments),
    kind: isCustom ? "text" : undefined,
    extra: extra ?? undefined,
  };
}

const said = (text: string | null | undefined): string | undefined => (typeof text === "string" && text.trim() !== "" ? text : undefined);

/** Some hosts send the arguments as JSON instead of a text that holds it. */
function written(text: unknown): string {
  if (typeof text === "string") return text;
  if (text === undefined || text === null) return "";
  return JSON.stringify(text, (_, value: unknown) => {
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      throw new Error("A tool input holds an integer beyond 2^53, which may have been rounded on the way.");
    }
    return value;
  });
}
