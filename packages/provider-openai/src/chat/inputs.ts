import type { Emit } from "@fullstop/core/adapter";
import type { FunctionDelta, ToolDelta } from "./events.ts";
import { goesOn, isObjectText } from "./object.ts";
import type { ReplyQuirks } from "./quirks.ts";
import {
  addToSlot,
  type Index,
  isBlank,
  openSlot,
  type Piece,
  readPiece,
  type Slot,
  sealSlot,
  settleSlot,
} from "./slot.ts";

/** The inputs of one choice, told apart the way hosts number them. */
export interface Inputs {
  readonly slots: readonly Slot[];
  /** The input in the field of the API's first version. */
  readonly echo: Slot | undefined;
  /** Indices of pieces that said nothing: no call is missing there. */
  readonly blanks: ReadonlySet<Index>;
  /** `whole`: each of these is a call of its own, not a piece. */
  take(deltas: readonly (ToolDelta | null)[], whole: boolean): void;
  takeLegacy(call: FunctionDelta): void;
  /** No more is to come, unless the host goes on behind its word. */
  settle(): void;
  /** Data that wants to be replayed with the last input; false where there is none. */
  seal(data: Readonly<Record<string, unknown>>): boolean;
}

/** What the choices of a reply share. */
export interface Shared {
  readonly quirks: ReplyQuirks;
  readonly emit: Emit;
  nextKey(): number;
  /** How much prose came so far. */
  prose(): number;
}

export function createInputs({ quirks, emit, nextKey, prose }: Shared): Inputs {
  const known = createKnown();
  const blanks = new Set<Index>();
  const changed = new Set<Slot>();
  let echo: Slot | undefined;
  let lastStarted: Slot | undefined;
  const addTo = (slot: Slot, piece: Piece): void => {
    changed.add(slot);
    addToSlot(slot, piece, emit);
    if (piece.id !== undefined) known.name(slot);
    if (slot.started && (lastStarted === undefined || slot.key > lastStarted.key))
      lastStarted = slot;
  };
  const slotFor = (piece: Piece, position: number | undefined): Slot => {
    const found = position === undefined ? undefined : known.find(piece, position);
    if (found !== undefined && !startsAnother(found, piece, quirks)) return found;
    return known.add(openSlot(piece, { key: nextKey(), echo: false, prose: prose() }));
  };
  const take = (piece: Piece, position: number | undefined): void => {
    if (!isBlank(piece)) addTo(slotFor(piece, position), piece);
    else if (piece.index !== undefined) blanks.add(piece.index);
  };
  return {
    slots: known.slots,
    blanks,
    get echo() {
      return echo;
    },
    take(deltas, whole) {
      let position = deltas.length === 1 ? known.slots.length - 1 : 0;
      for (const delta of deltas) take(readPiece(delta ?? {}), whole ? undefined : position++);
    },
    takeLegacy(call) {
      const piece = readPiece({ function: call });
      echo ??= openSlot(piece, { key: nextKey(), echo: true, prose: prose() });
      addTo(echo, piece);
    },
    settle() {
      for (const slot of changed) settleSlot(slot, quirks.restatesArguments === true, emit);
      changed.clear();
    },
    seal(data) {
      if (lastStarted !== undefined) sealSlot(lastStarted, data, emit);
      return lastStarted !== undefined;
    },
  };
}

interface Known {
  readonly slots: readonly Slot[];
  add(slot: Slot): Slot;
  /** An id may come late. */
  name(slot: Slot): void;
  find(piece: Piece, position: number): Slot | undefined;
}

/** Inputs by what they are known by; of several with one index or id, the last counts. */
function createKnown(): Known {
  const slots: Slot[] = [];
  const byIndex = new Map<Index, Slot>();
  const byId = new Map<string, Slot>();
  return {
    slots,
    add(slot) {
      slots.push(slot);
      if (slot.index !== undefined) byIndex.set(slot.index, slot);
      return slot;
    },
    name(slot) {
      if (slot.id !== undefined && !slot.echo && (byId.get(slot.id)?.key ?? -1) < slot.key)
        byId.set(slot.id, slot);
    },
    find({ index, id }, position) {
      if (index !== undefined) return byIndex.get(index);
      return id === undefined ? slots[position] : byId.get(id);
    },
  };
}

/** Hosts use an index again for the next call, or send none, and the same id; a piece that only restates is no other input. */
function startsAnother(slot: Slot, piece: Piece, quirks: ReplyQuirks): boolean {
  const { id, name } = piece;
  if (name === undefined) return false;
  if (quirks.rotatesIds !== true && id !== undefined && slot.id !== undefined && id !== slot.id)
    return true;
  if (slot.name === undefined || slot.name === name) return beginsBehind(slot, piece, quirks);
  if (slot.isWholeObject()) return true;
  throw new Error(`The reply gives one tool input two names, ${slot.name} and ${name}.`);
}

/** Whether another object begins behind a whole one. An index that both share holds them together, unless neither has an id and both are whole. */
function beginsBehind(
  slot: Slot,
  { index, id, text }: Piece,
  { restatesArguments }: ReplyQuirks,
): boolean {
  const { list } = slot.pieces;
  const mayBegin =
    text.trimStart().startsWith("{") && (list.at(-1)?.trimEnd().endsWith("}") ?? false);
  if (!mayBegin || !slot.isWholeObject()) return false;
  if (index !== undefined && (id !== undefined || slot.id !== undefined || !isObjectText(text)))
    return false;
  return !goesOn(restatesArguments ? (list.at(-1) ?? "") : list.join(""), text);
}
