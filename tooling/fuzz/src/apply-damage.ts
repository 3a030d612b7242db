import type { Frame } from "./bytes.ts";
import type { Damage, DamageOf } from "./damage.ts";
import { parseExact } from "./json.ts";

/** How a protocol writes the values that damage inserts. */
export interface Dialect {
  /** What names the reply. Absent if nothing does. */
  readonly replyId?: string;
  /** The member with the native stop reason, and its possible values. */
  readonly stopKey: string;
  readonly stops: readonly string[];
  /** How it reports an error inside a reply. */
  readonly errors: readonly [Frame, ...Frame[]];
}

/** Applies damage to the frames. A reply that is one JSON body can lose only its end. */
export function applyDamage(
  frames: readonly Frame[],
  damage: Damage,
  dialect: Dialect,
): readonly Frame[] {
  if (frames.length === 0) return frames;
  switch (damage.kind) {
    case "cut":
    case "byte":
      return frames;
    case "swap":
      return swapFrames(frames, damage);
    case "alter":
      return alterMember(frames, damage);
    case "stop":
      return frames.map((frame) => withStop(frame, damage.stop, dialect));
    case "call-id":
      return changeCallIds(frames, damage);
    case "drop":
    case "double":
    case "error":
    case "named-error":
    case "again":
      return frames.length === 1 ? frames : changeList(frames, damage, dialect);
  }
}

function changeList(
  frames: readonly Frame[],
  damage: DamageOf<"drop" | "double" | "error" | "named-error" | "again">,
  { errors, replyId }: Dialect,
): readonly Frame[] {
  const { kind, at } = damage;
  const from = at % frames.length;
  if (kind === "drop") return frames.toSpliced(from, 1);
  if (kind === "double")
    return frames.toSpliced(from + 1 + damage.to, 0, ...frames.slice(from, from + 1));
  if (kind === "error")
    return frames.toSpliced(
      from,
      0,
      errors[Math.floor(at / frames.length) % errors.length] ?? errors[0],
    );
  if (kind === "named-error")
    return frames.toSpliced(1 + from, 0, { name: "error", alwaysNamed: true, data: damage.data });
  // The reply up to an event, and then the whole reply under an id of its own.
  const again = frames.map((frame) => ({
    ...frame,
    data: frame.data.replace(`"${replyId}"`, `"${replyId}b"`),
  }));
  return [...frames.slice(0, 1 + (at % (frames.length - 1))), ...again];
}

function swapFrames(frames: readonly Frame[], { at, to }: DamageOf<"swap">): readonly Frame[] {
  const from = at % frames.length;
  const other = (from + to) % frames.length;
  const [one, two] = [frames[from], frames[other]];
  return one === undefined || two === undefined ? frames : frames.with(from, two).with(other, one);
}

/** The ids of calls have this form in all protocols. */
const callIds = /"(call_\w+)"/g;

function changeCallIds(frames: readonly Frame[], { at }: DamageOf<"call-id">): readonly Frame[] {
  const named = frames.filter(({ data }) => data.search(callIds) >= 0);
  const one = named[at % Math.max(1, named.length)];
  return frames.map((frame) =>
    frame === one ? { ...frame, data: frame.data.replace(callIds, '"$1b"') } : frame,
  );
}

function alterMember(
  frames: readonly Frame[],
  { at, leaf, value }: DamageOf<"alter">,
): readonly Frame[] {
  const from = at % frames.length;
  const frame = frames[from];
  const json = frame?.data.replace(/\n\ndata: \[DONE\]\n\n$/, "");
  if (frame === undefined || !json?.startsWith("{")) return frames;
  const root = parseExact(json);
  const holders = membersOf(root);
  const [holder, key] = holders[leaf % Math.max(1, holders.length)] ?? [];
  if (holder === undefined || key === undefined) return frames;
  if (value !== undefined) Object.assign(holder, { [key]: value });
  else if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
  const data = JSON.stringify(root) + frame.data.slice(json.length);
  return frames.with(from, { ...frame, data });
}

type Container = Record<string, unknown>;
/** Each member of a JSON value, with its container. */
function membersOf(root: unknown): readonly (readonly [Container, string])[] {
  const pending: unknown[] = [root];
  const found: [Container, string][] = [];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value !== "object" || value === null || isRawJSON(value)) continue;
    for (const [key, member] of Object.entries(value)) {
      found.push([value as Container, key]);
      pending.push(member);
    }
  }
  return found;
}
const { isRawJSON } = JSON as unknown as { readonly isRawJSON: (value: unknown) => boolean };

function withStop(frame: Frame, stop: number, { stopKey, stops }: Dialect): Frame {
  const pattern = new RegExp(`"${stopKey}":"[^"]*"`, "g");
  return {
    ...frame,
    data: frame.data.replace(pattern, `"${stopKey}":${JSON.stringify(stops[stop % stops.length])}`),
  };
}

/** Whether the frames differ after this damage. Bytes are always changed. */
export const hasEffect = (frames: readonly Frame[], damage: Damage, dialect: Dialect): boolean =>
  ["cut", "byte"].includes(damage.kind) ||
  JSON.stringify(applyDamage(frames, damage, dialect)) !== JSON.stringify(frames);

/** Bytes of which some are changed. */
export function changeBytes(bytes: Uint8Array, list: readonly Damage[]): Uint8Array {
  const changed = Uint8Array.from(bytes);
  for (const damage of list) {
    const at = damage.kind === "byte" ? damage.at % Math.max(1, bytes.length) : bytes.length;
    if (damage.kind === "byte" && at < bytes.length)
      changed[at] = (changed[at] ?? 0) ^ damage.change;
  }
  return changed;
}

/** The part of the bytes that arrives. */
export function cutBytes(
  bytes: Uint8Array,
  list: readonly Damage[],
): { readonly bytes: Uint8Array; readonly reset: boolean } {
  const cut = list.find((damage) => damage.kind === "cut");
  if (cut === undefined) return { bytes, reset: false };
  return { bytes: bytes.subarray(0, cut.at % (bytes.length + 1)), reset: cut.reset };
}
