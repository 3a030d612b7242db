import { type Identity, type Item, identityOf } from "./item.ts";
import type { Entry, Register } from "./item-index.ts";

/** What an event says of where it belongs; hosts leave out either, or send `null`. */
export interface Place {
  readonly output_index?: number | null | undefined;
  readonly item_id?: string | null | undefined;
}
const indexOf = ({ output_index: at }: Place): number | undefined =>
  typeof at === "number" ? at : undefined;
const idOf = ({ item_id: id }: Place): string | undefined => id || undefined;

/** The item of a piece. Nothing where several could be meant: they say it all once more when they are done. */
export function ofPiece(register: Register, place: Place, type: Item["type"]): Entry | undefined {
  const at = indexOf(place);
  if (at === undefined) return ofUnplacedPiece(register, idOf(place), type);
  const there = register.at(at);
  return there?.type === type && !there.done ? there : register.begin(type, at);
}

function ofUnplacedPiece(
  register: Register,
  id: string | undefined,
  type: Item["type"],
): Entry | undefined {
  const same = register.named(type, id);
  if (same?.done === false) return same;
  if (register.open(type) > 0) return onlyOpen(register, type);
  const entry = register.begin(type, undefined);
  if (id !== undefined) register.call(entry, id);
  return entry;
}

const onlyOpen = (register: Register, type: Item["type"]): Entry | undefined =>
  register.open(type) === 1 ? register.firstOpen(type) : undefined;

/** The item of a whole text. One that is done may be said again behind it; another text there is another item's. */
export function ofText(
  register: Register,
  place: Place,
  { type, whole }: { readonly type: Item["type"]; readonly whole: string },
): Entry | undefined {
  const at = indexOf(place);
  const there = at === undefined ? register.named(type, idOf(place)) : register.at(at);
  const again = there?.type === type && there.done && there.reader.says?.(whole);
  return again ? there : ofPiece(register, place, type);
}

export function ofAdded(register: Register, place: Place, item: Item): Entry {
  const at = indexOf(place);
  return ofItem(register, at, identityOf(item)) ?? register.begin(item.type, at, item);
}

export function ofDone(register: Register, place: Place, item: Item): Entry {
  const at = indexOf(place);
  const identity = identityOf(item);
  const twice = at === undefined ? undefined : register.at(at);
  if (twice?.done && twice.type === item.type && twice.identity?.call === identity.call)
    return twice;
  const same = ofItem(register, at, identity);
  const loose =
    same !== undefined || at !== undefined ? same : register.firstLoose(item.type, identity.tool);
  return loose ?? register.begin(item.type, at, item);
}

function ofItem(register: Register, at: number | undefined, identity: Identity): Entry | undefined {
  const there = at === undefined ? undefined : register.at(at);
  if (there?.type === identity.type && !there.done) return there;
  const same = byIds(register, identity);
  if (at === undefined || same === undefined) return same;
  if (same.done || (same.at !== undefined && identity.call === undefined)) return undefined;
  register.move(same, at);
  return same;
}

/** An item with a `call_id` is not one that has another, whatever their ids say. */
function byIds(register: Register, { type, call, id }: Identity): Entry | undefined {
  const other = register.named(type, id);
  return (
    register.named(type, call) ??
    (call === undefined || other?.identity?.call === undefined ? other : undefined)
  );
}
