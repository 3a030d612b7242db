import { commonPrefixLength, eventBoundaries, render } from "./bytes.ts";
import type { Check } from "./check.ts";
import type { Harness } from "./harness.ts";

/** A reply that ends between two events, or the whole reply. */
interface ReplyToBoundary {
  readonly at: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A reply, and the lengths of its beginnings that were tried. */
interface TriedReply {
  readonly bytes: Uint8Array;
  readonly lengths: ReadonlySet<number>;
}

/** Every exchange, cut after each event. Replies that begin alike share beginnings: each is tried once. */
export function* repliesToBoundaries(harness: Harness): Generator<ReplyToBoundary> {
  const tried: TriedReply[] = [];
  for (const { name, frames } of harness.exchanges) {
    const rendered = render(harness.wire, frames);
    const { bytes } = rendered;
    const alike = tried.map((other) => ({
      ...other,
      shared: commonPrefixLength(bytes, [other.bytes]),
    }));
    const lengths = eventBoundaries(rendered, harness);
    for (const length of lengths) {
      if (alike.some((other) => length <= other.shared && other.lengths.has(length))) continue;
      yield { at: `${name}, ${length} bytes of it`, bytes: bytes.subarray(0, length) };
    }
    tried.push({ bytes, lengths: new Set(lengths) });
  }
}

type ChecksByClause<Name extends string> = Readonly<Record<Name, Check>>;

/** Checks of clauses that were not asked yet. */
type KeptChecks = Map<string, Check[]>;

function keepChecks(kept: KeptChecks, checks: Readonly<Record<string, Check>>): void {
  for (const [name, check] of Object.entries(checks)) {
    const known = kept.get(name);
    if (known === undefined) kept.set(name, [check]);
    else known.push(check);
  }
}

/**
 * Lets clauses that look at the same turns share them. The first clause that a harness is asked
 * makes the pass, and the checks of the others are kept until they are asked too.
 */
export function sharePass<Name extends string>(
  pass: (harness: Harness) => AsyncIterable<ChecksByClause<Name>>,
): (name: Name) => (harness: Harness) => AsyncGenerator<Check> {
  const keptFor = new WeakMap<Harness, KeptChecks>();
  return (name) =>
    async function* (harness) {
      const known = keptFor.get(harness);
      const mine = known?.get(name);
      known?.delete(name);
      if (mine !== undefined) return yield* mine;
      const kept: KeptChecks = new Map();
      for await (const { [name]: check, ...others } of pass(harness)) {
        keepChecks(kept, others);
        yield check;
      }
      keptFor.set(harness, kept);
    };
}
