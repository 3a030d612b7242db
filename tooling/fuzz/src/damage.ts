import fc from "fast-check";
import type { Frame } from "./bytes.ts";
import type { Framing } from "./framings/framing.ts";
import { parseExact } from "./json.ts";

/** Damage of a reply on its way. Positions are taken modulo the number of frames. */
export type Damage =
  | { readonly kind: "cut"; readonly at: number; readonly reset: boolean }
  | { readonly kind: "drop"; readonly at: number }
  | { readonly kind: "double"; readonly at: number; readonly to: number }
  | { readonly kind: "swap"; readonly at: number; readonly to: number }
  | { readonly kind: "alter"; readonly at: number; readonly leaf: number; readonly value: unknown }
  | { readonly kind: "stop"; readonly stop: number }
  | { readonly kind: "error"; readonly at: number }
  /** The reply is cut, and comes again as another one, as a router appends the reply of a fallback. */
  | { readonly kind: "again"; readonly at: number }
  /** One event gives its calls other ids. */
  | { readonly kind: "call-id"; readonly at: number }
  | { readonly kind: "byte"; readonly at: number; readonly change: number };

const position = fc.nat(10_000);
const replacement = fc.constantFrom<unknown>(
  undefined,
  undefined,
  null,
  "",
  " ",
  0,
  1,
  7,
  true,
  "x",
  "completed",
  [],
  {},
  "{}",
  '{"a":2}',
);
const anyDamage: fc.Arbitrary<Damage> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("cut" as const),
      at: fc.nat(100_000),
      reset: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("drop" as const), at: position }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("double" as const), at: position, to: fc.nat(3) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("swap" as const),
      at: position,
      to: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("alter" as const),
      at: position,
      leaf: position,
      value: replacement,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("stop" as const), stop: position }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("error" as const), at: position }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("again" as const), at: position }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("call-id" as const), at: position }) },
);

/** For framings in which a changed byte is detectable. */
const changedByte: fc.Arbitrary<Damage> = fc.record({
  kind: fc.constant("byte" as const),
  at: fc.nat(100_000),
  change: fc.integer({ min: 1, max: 255 }),
});
const anyDamageOrByte: fc.Arbitrary<Damage> = fc.oneof(
  { weight: 5, arbitrary: anyDamage },
  { weight: 1, arbitrary: changedByte },
);

/** Most replies have no damage or one. */
export function damagesOf({
  hasChecksums,
}: Pick<Framing, "hasChecksums">): fc.Arbitrary<readonly Damage[]> {
  const one = hasChecksums ? anyDamageOrByte : anyDamage;
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant([]) },
    { weight: 5, arbitrary: fc.tuple(one) },
    { weight: 1, arbitrary: fc.tuple(one, one) },
  );
}

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
    case "drop":
      return frames.length === 1 ? frames : frames.toSpliced(damage.at % frames.length, 1);
    case "double":
      return frames.length === 1 ? frames : duplicateFrame(frames, damage);
    case "swap":
      return swapFrames(frames, damage);
    case "alter":
      return alterMember(frames, damage);
    case "stop":
      return frames.map((frame) => withStop(frame, damage.stop, dialect));
    case "error":
      return frames.length === 1 ? frames : insertError(frames, damage, dialect);
    case "again":
      return frames.length === 1 ? frames : appendReply(frames, damage, dialect);
    case "call-id":
      return frames.map((frame, at) =>
        at === damage.at % frames.length ? withOtherCallIds(frame) : frame,
      );
  }
}

type DamageOf<Kind extends Damage["kind"]> = Extract<Damage, { readonly kind: Kind }>;

function duplicateFrame(
  frames: readonly Frame[],
  { at, to }: DamageOf<"double">,
): readonly Frame[] {
  const from = at % frames.length;
  const frame = frames[from];
  return frame === undefined ? frames : frames.toSpliced(from + 1 + to, 0, frame);
}

function swapFrames(frames: readonly Frame[], { at, to }: DamageOf<"swap">): readonly Frame[] {
  const from = at % frames.length;
  const other = (from + to) % frames.length;
  const [one, two] = [frames[from], frames[other]];
  return one === undefined || two === undefined ? frames : frames.with(from, two).with(other, one);
}

function insertError(
  frames: readonly Frame[],
  { at }: DamageOf<"error">,
  { errors }: Dialect,
): readonly Frame[] {
  const error = errors[Math.floor(at / frames.length) % errors.length] ?? errors[0];
  return frames.toSpliced(at % frames.length, 0, error);
}

/** The reply up to an event, and then the whole reply under an id of its own. */
const appendReply = (
  frames: readonly Frame[],
  { at }: DamageOf<"again">,
  { replyId }: Dialect,
): readonly Frame[] => [
  ...frames.slice(0, 1 + (at % (frames.length - 1))),
  ...frames.map((frame) => ({
    ...frame,
    data: frame.data.replace(`"${replyId}"`, `"${replyId}b"`),
  })),
];

/** The ids of calls have this form in all protocols. */
const withOtherCallIds = (frame: Frame): Frame => ({
  ...frame,
  data: frame.data.replace(/"(call_\d+)"/g, '"$1b"'),
});

function alterMember(
  frames: readonly Frame[],
  { at, leaf, value }: DamageOf<"alter">,
): readonly Frame[] {
  const from = at % frames.length;
  const frame = frames[from];
  if (frame === undefined || !frame.data.startsWith("{")) return frames;
  const root = parseExact(frame.data);
  const holders = membersOf(root);
  const [holder, key] = holders[leaf % Math.max(1, holders.length)] ?? [];
  if (holder === undefined || key === undefined) return frames;
  if (value !== undefined) Object.assign(holder, { [key]: value });
  else if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
  return frames.with(from, { ...frame, data: JSON.stringify(root) });
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
