import fc from "fast-check";
import type { Framing } from "./framings/framing.ts";

/** Damage of a reply on its way. Positions are taken modulo the number of frames. */
export type Damage =
  | { readonly kind: "cut"; readonly at: number; readonly reset: boolean }
  | { readonly kind: "drop"; readonly at: number }
  | { readonly kind: "double"; readonly at: number; readonly to: number }
  | { readonly kind: "swap"; readonly at: number; readonly to: number }
  | { readonly kind: "alter"; readonly at: number; readonly leaf: number; readonly value: unknown }
  | { readonly kind: "stop"; readonly stop: number }
  | { readonly kind: "error"; readonly at: number }
  /** An event that is named `error`, whose data has no shape that the protocol knows. */
  | { readonly kind: "named-error"; readonly at: number; readonly data: string }
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
export type DamageOf<Kind extends Damage["kind"]> = Extract<Damage, { readonly kind: Kind }>;
type Source = fc.Arbitrary<Damage>;
type Weighted = fc.WeightedArbitrary<Damage>;

/** One kind of damage, and how often it comes. */
const weighted = <Kind extends Damage["kind"]>(
  weight: number,
  kind: Kind,
  rest: {
    readonly [Key in Exclude<keyof DamageOf<Kind>, "kind">]: fc.Arbitrary<DamageOf<Kind>[Key]>;
  },
): Weighted => ({
  weight,
  arbitrary: fc.record({ kind: fc.constant(kind), ...rest }) as unknown as Source,
});
const anyDamage: Source = fc.oneof(
  weighted(4, "cut", { at: fc.nat(100_000), reset: fc.boolean() }),
  weighted(3, "drop", { at: position }),
  weighted(2, "double", { at: position, to: fc.nat(3) }),
  weighted(2, "swap", { at: position, to: fc.integer({ min: 1, max: 3 }) }),
  weighted(5, "alter", { at: position, leaf: position, value: replacement }),
  weighted(2, "stop", { stop: position }),
  weighted(1, "error", { at: position }),
  weighted(2, "again", { at: position }),
  weighted(2, "call-id", { at: position }),
);

/** For framings in which a changed byte is detectable. */
const anyDamageOrByte: Source = fc.oneof(
  { weight: 5, arbitrary: anyDamage },
  weighted(1, "byte", { at: fc.nat(100_000), change: fc.integer({ min: 1, max: 255 }) }),
);

/** For framings that name events. */
const anyDamageOrNamed: Source = fc.oneof(
  { weight: 12, arbitrary: anyDamage },
  weighted(1, "named-error", {
    at: position,
    data: fc.constantFrom('{"message":"upstream died"}', '{"code":500}', "{}", "", "Bad gateway"),
  }),
);

/** Most replies have no damage or one. */
export function damagesOf({
  hasChecksums,
  namesErrors,
}: Pick<Framing, "hasChecksums" | "namesErrors">): fc.Arbitrary<readonly Damage[]> {
  const named = namesErrors ? anyDamageOrNamed : anyDamage;
  const one = hasChecksums ? anyDamageOrByte : named;
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant([]) },
    { weight: 5, arbitrary: fc.tuple(one) },
    { weight: 1, arbitrary: fc.tuple(one, one) },
  );
}
