import { mayHoldSecret, redactedMark, type SecretPattern, secretPatterns } from "./secrets.ts";

export interface Slot {
  readonly get: () => string;
  readonly set: (text: string) => void;
}

export interface TextStream {
  add(slot: Slot): void;
  /** A piece may be the beginning of a secret: the next one says. */
  readonly isUndecided: boolean;
}

/** How much of the text before a piece is looked at: more than any prefix of a secret. */
const contextLength = 256;

interface Piece {
  readonly slot: Slot;
  readonly text: string;
}
interface Range {
  readonly from: number;
  readonly to: number;
}
interface OpenSecret {
  readonly pattern: SecretPattern;
  /** Backslashes at the end: the character that follows says whether they belong to it. */
  readonly carry: string;
  /** The piece that they were removed from. */
  readonly slot: Slot;
}

export function createTextStream(): TextStream {
  let context = "";
  let pieces: readonly Piece[] = [];
  let open: OpenSecret | undefined;
  /** Removes what continues a secret of the pieces before it, and returns the rest. */
  const withoutOpenSecret = (slot: Slot): string => {
    const whole = slot.get();
    if (open === undefined) return whole;
    const { pattern, carry, slot: carrySlot } = open;
    const joined = carry + whole;
    const end = pattern.rest.exec(joined)?.[0].length ?? 0;
    open = end === joined.length ? { pattern, carry: carryOf(joined), slot } : undefined;
    if (end < carry.length) carrySlot.set(carrySlot.get() + carry.slice(end));
    const rest = joined.slice(Math.max(end, carry.length));
    slot.set(rest);
    // A secret ends at a boundary, so what comes before it does not matter.
    context = "";
    return rest;
  };
  /** Redacts what is complete, and says whether the end may be the beginning of a secret. */
  const decide = (joined: string): boolean => {
    if (!mayHoldSecret(joined)) return true;
    const found = findSecrets(joined);
    const slot = pieces.at(-1)?.slot;
    open = found.open && slot && { ...found.open, slot };
    redactPieces(pieces, found.ranges, context.length);
    return !found.isUndecided;
  };
  return {
    add: (slot) => {
      const text = withoutOpenSecret(slot);
      if (open !== undefined) return;
      pieces = [...pieces, { slot, text }];
      const joined = context + pieces.map((piece) => piece.text).join("");
      if (!decide(joined)) return;
      pieces = [];
      context = open === undefined ? joined.slice(-contextLength) : "";
    },
    get isUndecided() {
      return pieces.length > 0 || (open !== undefined && open.carry !== "");
    },
  };
}

export function redactText(text: string): string {
  if (!mayHoldSecret(text)) return text;
  let left = text;
  createTextStream().add({
    get: () => text,
    set: (changed) => {
      left = changed;
    },
  });
  return left;
}

const carryOf = (text: string): string => /(?<!\\)\\*$/.exec(text)?.[0] ?? "";

interface Found {
  readonly ranges: readonly Range[];
  readonly open?: Omit<OpenSecret, "slot">;
  readonly isUndecided: boolean;
}

function findSecrets(text: string): Found {
  const ranges: Range[] = [];
  let open: Found["open"];
  for (const pattern of secretPatterns)
    for (const { index, 1: prefix = "", 2: secret = "" } of text.matchAll(pattern.whole)) {
      const from = index + prefix.length;
      ranges.push({ from, to: from + secret.length });
      if (from + secret.length === text.length) open = { pattern, carry: carryOf(text) };
    }
  // A secret that is too short to be known begins here, and its prefix too.
  const end = text.slice(-contextLength);
  const isUndecided = open === undefined && secretPatterns.some(({ begun }) => begun?.test(end));
  return { ranges, isUndecided, ...(open && { open }) };
}

/** Replaces the parts of pieces that are in a range. A secret in several pieces has one mark. */
function redactPieces(
  pieces: readonly Piece[],
  ranges: readonly Range[],
  contextEnd: number,
): void {
  const sorted = ranges.toSorted((left, right) => left.from - right.from);
  let start = contextEnd;
  for (const { slot, text } of pieces) {
    const end = start + text.length;
    let kept = "";
    let at = start;
    for (const { from, to } of sorted) {
      if (to <= at || from >= end) continue;
      kept += text.slice(at - start, Math.max(0, from - start));
      if (from >= at) kept += redactedMark;
      at = Math.min(to, end);
    }
    if (at > start) slot.set(kept + text.slice(at - start));
    start = end;
  }
}
