import {
  count,
  type Fields,
  isNullish,
  isObject,
  jsonValue,
  list,
  members,
  said,
} from "../json.ts";
import { blur, doubt, flaw, type Notes, suspect } from "../notes.ts";
import type { Said } from "../reading.ts";
import type { Host } from "./hosts.ts";

/** The pieces of one call. */
interface Group {
  readonly index: number | undefined;
  id: string | undefined;
  name: string | undefined;
  readonly free: boolean;
  readonly texts: string[];
  /** How often the name came. */
  names: number;
}
interface Piece {
  readonly index: number | undefined;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly text: string;
  readonly free: boolean;
}
/** Puts the pieces of calls together. */
export interface Groups {
  /** Whether there is anything in them. */
  take(deltas: unknown, whole: boolean): boolean;
  takeLegacy(call: unknown): boolean;
  /** Whether what came last says nothing but what its call had said by then. */
  repeats(): boolean;
  calls(): readonly Said[];
}

export function createGroups(notes: Notes, host: Host): Groups {
  const groups: Group[] = [];
  const legacy: Piece[] = [];
  const silent = new Set<number | undefined>();
  let repeated = false;
  const add = (piece: Piece, fresh: boolean): void => {
    const known = fresh ? undefined : find(groups, piece, host);
    repeated = known === "unclear";
    if (known === "unclear") return blur(notes, "calls that cannot be told apart for certain");
    repeated = extend(notes, known ?? begin(groups, piece), piece) && known !== undefined;
  };
  return {
    take(deltas, whole) {
      blur(notes, "calls that are no list", !isNullish(deltas) && !Array.isArray(deltas));
      const isOdd = list(deltas).some((delta) => !isObject(delta));
      blur(notes, "a piece that is none", isOdd);
      const all = list(deltas).map((delta) => read(notes, members(delta)));
      const pieces = all.filter((piece) => !isBlank(piece));
      for (const piece of all) if (isBlank(piece)) silent.add(piece.index);
      blur(
        notes,
        "pieces without a number, side by side",
        pieces.length > 1 && !whole && pieces.some(({ index }) => index === undefined),
      );
      for (const piece of pieces) add(piece, whole);
      return pieces.length > 0;
    },
    takeLegacy(call) {
      if (isNullish(call)) return false;
      blur(notes, "a call that is none", !isObject(call));
      const piece = read(notes, { function: call });
      if (!isBlank(piece)) legacy.push(piece);
      return !isBlank(piece);
    },
    repeats: () => repeated,
    calls() {
      noteNumbers(notes, groups, silent);
      noteIdsAlone(notes, groups, legacy.length > 0);
      const calls = groups.map((group) => joined(notes, group, host));
      return legacy.length > 0 ? withLegacy(notes, { calls, pieces: legacy, host }) : calls;
    },
  };
}

/** Whether the piece says nothing but what its call had said by then. */
function extend(notes: Notes, group: Group, { id, name, text, free }: Piece): boolean {
  blur(
    notes,
    "a call with two names",
    group.name !== undefined && name !== undefined && group.name !== name,
  );
  blur(notes, "a call of two kinds", group.free !== free && text !== "");
  const isKnown =
    (id === undefined || group.id !== undefined) &&
    (name === undefined || group.name !== undefined);
  group.id ??= id;
  group.name ??= name;
  if (name !== undefined) group.names++;
  if (text === "") return isKnown;
  const isRepeated = text === group.texts.at(-1) || text === group.texts.join("");
  group.texts.push(text);
  return isRepeated;
}

function noteIdsAlone(notes: Notes, groups: readonly Group[], isSaidOtherwise: boolean): void {
  const isAlone = groups.some(({ name, texts }) => name === undefined && texts.length === 0);
  (isSaidOtherwise ? doubt : flaw)(notes, "of a call nothing came but its id", isAlone);
  blur(notes, "an id alone", isAlone);
}

const isBlank = ({ id, name, text }: Piece): boolean =>
  id === undefined && name === undefined && text === "";

function read(notes: Notes, delta: Fields): Piece {
  const isCustom = delta["custom"] !== undefined && delta["custom"] !== null;
  const body = isCustom ? delta["custom"] : delta["function"];
  blur(notes, "a piece that is none", body !== undefined && body !== null && !isObject(body));
  const { name, arguments: input } = isCustom
    ? { ...members(body), arguments: members(body)["input"] }
    : members(body);
  for (const word of [name, delta["id"]])
    blur(
      notes,
      "a name or an id that is not text",
      word !== undefined && word !== null && typeof word !== "string",
    );
  const index = delta["index"] ?? undefined;
  blur(
    notes,
    "an index that is no number",
    index !== undefined && (!Number.isSafeInteger(index) || Number(index) < 0),
  );
  return {
    index: count(index),
    id: said(delta["id"]),
    name: said(name),
    text: written(notes, input),
    free: isCustom,
  };
}

function written(notes: Notes, input: unknown): string {
  if (typeof input === "string") return input;
  if (input === undefined || input === null) return "";
  blur(notes, "arguments that are neither text nor an object", !isObject(input));
  return JSON.stringify(input);
}

/** The call that a piece belongs to, if it is one that is known; a name under a known index, or beside another id, may begin another. */
function find(groups: readonly Group[], piece: Piece, host: Host): Group | "unclear" | undefined {
  const known = nearest(groups, piece);
  if (known === undefined) return undefined;
  if (piece.index === undefined && known.index !== undefined) return "unclear";
  const other = piece.id !== undefined && known.id !== undefined && piece.id !== known.id;
  if (other && !host.rotates) return piece.name === undefined ? known : undefined;
  return mayBeAnother(known, piece) ? "unclear" : known;
}

function nearest(groups: readonly Group[], { index, id }: Piece): Group | undefined {
  if (index !== undefined) return groups.findLast((group) => group.index === index);
  return id === undefined ? groups.at(-1) : groups.findLast((group) => group.id === id);
}

/** A name that is said again behind a whole input, where neither the index nor the id shows that it is the same call. */
function mayBeAnother(known: Group, { index, id, name }: Piece): boolean {
  if (name === undefined) return false;
  if (known.name !== undefined && name !== known.name) return true;
  const isSame = id !== undefined && id === known.id && index !== undefined;
  return !isSame && isObject(jsonValue(known.texts.join("")));
}

function begin(groups: Group[], { index, id, name, free }: Piece): Group {
  const group: Group = { index, id, name, free, texts: [], names: 0 };
  groups.push(group);
  return group;
}

/** Numbers that leave one out: a call of the plan is not there. One that said nothing may be noise. */
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
  suspect(notes, "a call is missing: the numbers leave one out", isLost);
  doubt(
    notes,
    "the numbers of its calls begin late, or one says nothing",
    first > 0 || gaps.length > 0,
  );
}

/** Pieces are joined, unless each says the text from its beginning, or the last says it once more. */
function joined(notes: Notes, { id, name, free, texts, names }: Group, { restates }: Host): Said {
  const text = texts.join("");
  const last = texts.at(-1) ?? "";
  const grows =
    texts.length > 1 && texts.every((piece, n) => n === 0 || piece.startsWith(texts[n - 1] ?? ""));
  const repeats = texts.length > 1 && texts.slice(0, -1).join("").trim() === last;
  if (free || !(grows || repeats)) return { name, id, text, free, restated: false };
  const isRestated = isObject(jsonValue(last)) && !isObject(jsonValue(text));
  blur(
    notes,
    "its pieces may restate their input, or go on with it",
    !isRestated || !(restates || repeats),
  );
  return {
    name,
    id,
    text: isRestated ? last : text,
    free,
    restated: isRestated,
    namedOnce: names <= 1,
  };
}

/** The API's first form: an echo of a call that is there, or the only one. */
function withLegacy(
  notes: Notes,
  { calls, pieces, host }: { calls: readonly Said[]; pieces: readonly Piece[]; host: Host },
): readonly Said[] {
  const name = pieces.find((piece) => piece.name !== undefined)?.name;
  const texts = pieces.map(({ text }) => text).filter((text) => text !== "");
  const only = joined(
    notes,
    { index: undefined, id: undefined, name, free: false, texts, names: 1 },
    host,
  );
  if (calls.length === 0) return [only];
  blur(
    notes,
    "a call in the first form that no other says",
    !calls.some((call) => call.name === name && call.text === only.text),
  );
  return calls;
}
