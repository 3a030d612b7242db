import {
  isNullish,
  isObject,
  jsonValue,
  listOrEmpty,
  members,
  sortedJson,
  withoutEmptyObject,
  withoutSpaces,
} from "../json.ts";
import type { Notes } from "../notes.ts";
import type { WireCall } from "../reading.ts";
import type { Host } from "./hosts.ts";
import { isBlank, type Piece, readPiece } from "./pieces.ts";

/** The pieces of one call. */
interface Group {
  readonly index: number | undefined;
  /** Its index, and others under which only its id came. */
  readonly indices: Set<number | undefined>;
  id: string | undefined;
  name: string | undefined;
  readonly free: boolean;
  readonly texts: string[];
  /** How many deltas had the name. */
  names: number;
}
/** Puts the pieces of calls together. */
export interface CallGroups {
  /** Returns whether the deltas have content. */
  take(deltas: unknown, whole: boolean): boolean;
  takeLegacy(call: unknown): boolean;
  /** Whether the last delta only repeated content of its call, or a whole call by its id. */
  repeats(): boolean;
  calls(): readonly WireCall[];
}

export function createCallGroups(notes: Notes, host: Host): CallGroups {
  const groups: Group[] = [];
  const legacy: Piece[] = [];
  const silent = new Set<number | undefined>();
  let repeated = false;
  const add = (piece: Piece, fresh: boolean): void => {
    const known = fresh ? undefined : findGroup(groups, piece, host);
    repeated = known === "unclear";
    if (known === "unclear")
      return notes.ambiguity("calls that cannot be separated with certainty");
    const isClaimed = groups.some(({ indices }) => indices.has(piece.index));
    if (!isClaimed) known?.indices.add(piece.index);
    const isAgain = groups.some((group) => isWholeCall(group, piece));
    const isKnown = extend(notes, known ?? addGroup(groups, piece), piece) && known !== undefined;
    repeated = isAgain || isKnown;
  };
  return {
    take(deltas, whole) {
      notes.ambiguity("calls that are not a list", !isNullish(deltas) && !Array.isArray(deltas));
      const isOdd = listOrEmpty(deltas).some((delta) => !isObject(delta));
      notes.ambiguity("an invalid delta", isOdd);
      const all = listOrEmpty(deltas).map((delta) => readPiece(notes, members(delta)));
      const pieces = all.filter((piece) => !isBlank(piece));
      for (const piece of all) if (isBlank(piece)) silent.add(piece.index);
      notes.ambiguity(
        "several deltas without an index",
        pieces.length > 1 && !whole && pieces.some(({ index }) => index === undefined),
      );
      for (const piece of pieces) add(piece, whole);
      return pieces.length > 0;
    },
    takeLegacy(call) {
      if (isNullish(call)) return false;
      notes.ambiguity("an invalid call", !isObject(call));
      const piece = readPiece(notes, { function: call });
      if (!isBlank(piece)) legacy.push(piece);
      return !isBlank(piece);
    },
    repeats: () => repeated,
    calls() {
      noteNumbers(notes, groups, silent);
      noteIdsAlone(notes, groups, legacy.length > 0);
      const calls = firstSpellings(groups.map((group) => joinPieces(notes, group, host)));
      return legacy.length > 0 ? withLegacy(notes, { calls, pieces: legacy, host }) : calls;
    },
  };
}

const isWholeCall = (group: Group, { id, name, text }: Piece): boolean =>
  id !== undefined &&
  group.id === id &&
  group.name === name &&
  group.texts.join("") === text &&
  isObject(jsonValue(text));

/** Adds a delta to its call. Returns whether the delta only repeated content of the call. */
function extend(notes: Notes, group: Group, { id, name, text, free }: Piece): boolean {
  notes.ambiguity(
    "a call with two names",
    group.name !== undefined && name !== undefined && group.name !== name,
  );
  notes.ambiguity("a call of two types", group.free !== free && text !== "");
  const isKnown =
    (id === undefined || group.id !== undefined) &&
    (name === undefined || group.name !== undefined);
  group.id ??= id;
  group.name ??= name;
  if (name !== undefined) group.names++;
  if (text === "") return isKnown;
  const before = [group.texts.at(-1) ?? "", group.texts.join("")];
  group.texts.push(text);
  // White space behind a complete input adds nothing to it.
  return (
    before.includes(text) || (text.trim() === "" && before.some((one) => isObject(jsonValue(one))))
  );
}

function noteIdsAlone(notes: Notes, groups: readonly Group[], isSaidOtherwise: boolean): void {
  const isAlone = groups.some(({ name, texts }) => name === undefined && texts.length === 0);
  notes[isSaidOtherwise ? "doubt" : "flaw"]("a call with only an id", isAlone);
  notes.ambiguity("a call with only an id", isAlone);
}

/**
 * The known call of a delta. A name with a known index or with another id may begin another call.
 */
function findGroup(
  groups: readonly Group[],
  piece: Piece,
  host: Host,
): Group | "unclear" | undefined {
  const known = nearestGroup(groups, piece);
  if (known === undefined) return undefined;
  if (piece.index === undefined && known.index !== undefined) return "unclear";
  const other = piece.id !== undefined && known.id !== undefined && piece.id !== known.id;
  if (other && !host.rotates) return piece.name === undefined ? known : undefined;
  return mayBeAnother(known, piece) ? "unclear" : known;
}

/** An id that is known names its call, unless a name under an index of its own begins another. */
function nearestGroup(groups: readonly Group[], { index, id, name }: Piece): Group | undefined {
  const same = groups.findLast((group) => id !== undefined && group.id === id);
  if (index === undefined) return id === undefined ? groups.at(-1) : same;
  const there = groups.findLast((group) => group.indices.has(index));
  if (same === undefined || (there !== undefined && (there.id ?? id) === id)) return there;
  return name === undefined || same.index === index ? same : there;
}

/**
 * A repeated name after a complete input may begin another call, if neither the index nor the id
 * identifies the same call.
 */
function mayBeAnother(known: Group, { index, id, name }: Piece): boolean {
  if (name === undefined) return false;
  if (known.name !== undefined && name !== known.name) return true;
  const isSame = id !== undefined && id === known.id && index !== undefined;
  return !isSame && isObject(jsonValue(known.texts.join("")));
}

function addGroup(groups: Group[], { index, id, name, free }: Piece): Group {
  const group: Group = { index, indices: new Set([index]), id, name, free, texts: [], names: 0 };
  groups.push(group);
  return group;
}

/** A gap in the indices proves that a call is missing, unless an empty delta had that index. */
function noteNumbers(
  notes: Notes,
  groups: readonly Group[],
  silent: ReadonlySet<number | undefined>,
): void {
  const numbers = [
    ...new Set(groups.flatMap(({ index }) => (index === undefined ? [] : [index]))),
  ].toSorted((a, b) => a - b);
  const [first = 0] = numbers;
  const gaps = numbers
    .slice(1)
    .flatMap((number, n) => (number === (numbers[n] ?? 0) + 1 ? [] : [number - 1]));
  const isLost = gaps.some((gap) => !silent.has(gap));
  notes.suspicion("a missing call: its number is left out", isLost);
  notes.doubt("call numbers that begin late or leave one out", first > 0 || gaps.length > 0);
}

/**
 * It may have other white space, and the characters that close the text before it. Where a value may
 * follow, it may be that value.
 */
function repeatsAll(before: string, last: string): boolean {
  const [known, all] = [withoutSpaces(before), withoutSpaces(last)];
  if (/[:,[]$/.test(known)) return false;
  return last.startsWith("{") && all.startsWith(known) && !/[^"}\]]/.test(all.slice(known.length));
}

/** One call that comes twice, spelled in two ways, has the first spelling both times. */
const firstSpellings = (calls: readonly WireCall[]): readonly WireCall[] =>
  calls.map((call) => ({
    ...call,
    text: calls.find((one) => isSame(one, call))?.text ?? call.text,
  }));

const isSame = (one: WireCall, call: WireCall): boolean =>
  call.id !== undefined &&
  one.id === call.id &&
  one.name === call.name &&
  !one.free &&
  !call.free &&
  isObject(jsonValue(call.text)) &&
  sortedJson(one.text) === sortedJson(call.text);

/** An empty object may be the input of another call, unless an index tells them apart. */
function inputPieces(notes: Notes, { free, texts, index, names }: Group): readonly string[] {
  const pieces = free ? texts : withoutEmptyObject(texts);
  const mayBeOther = index === undefined || names > 1;
  notes.ambiguity("an empty object beside an input", pieces !== texts && mayBeOther);
  return pieces;
}

/** Joins the texts, unless each text repeats the previous ones, or the last one repeats all. */
function joinPieces(notes: Notes, group: Group, { restates }: Host): WireCall {
  const { id, name, free, names } = group;
  const texts = inputPieces(notes, group);
  const text = texts.join("");
  const last = texts.at(-1) ?? "";
  const grows =
    texts.length > 1 && texts.every((piece, n) => n === 0 || piece.startsWith(texts[n - 1] ?? ""));
  const repeats = texts.length > 1 && repeatsAll(texts.slice(0, -1).join(""), last);
  if (free || !(grows || repeats)) return { name, id, text, free, restated: false };
  const restated = isObject(jsonValue(last)) && !isObject(jsonValue(text));
  notes.ambiguity(
    "deltas that may repeat or continue the input",
    !restated || !(restates || repeats),
  );
  // If only the last piece has content, or content of its own, damage of it leaves no trace.
  const isCompared = restated && repeats && /[^\s{}]/.test(text.slice(0, -last.length));
  const whole = restated ? last : text;
  return { name, id, text: whole, free, restated: isCompared, namedOnce: names <= 1 };
}

/** The legacy `function_call`: an echo of another call, or the only call. */
function withLegacy(
  notes: Notes,
  { calls, pieces, host }: { calls: readonly WireCall[]; pieces: readonly Piece[]; host: Host },
): readonly WireCall[] {
  const name = pieces.find((piece) => piece.name !== undefined)?.name;
  const texts = pieces.map(({ text }) => text).filter((text) => text !== "");
  const only = joinPieces(
    notes,
    { index: undefined, indices: new Set(), id: undefined, name, free: false, texts, names: 1 },
    host,
  );
  if (calls.length === 0) return [only];
  notes.ambiguity(
    "a legacy call without an equal call",
    !calls.some((call) => call.name === name && call.text === only.text),
  );
  return calls;
}
