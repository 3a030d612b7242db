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

/** For framings that name events. */
const namedError: fc.Arbitrary<Damage> = fc.record({
  kind: fc.constant("named-error" as const),
  at: position,
  data: fc.constantFrom('{"message":"upstream died"}', '{"code":500}', "{}", "", "Bad gateway"),
});
const anyDamageOrNamed: fc.Arbitrary<Damage> = fc.oneof(
  { weight: 12, arbitrary: anyDamage },
  { weight: 1, arbitrary: namedError },
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
