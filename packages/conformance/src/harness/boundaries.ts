import { commonPrefixLength, eventBoundaries, render } from "./bytes.ts";
import type { Harness } from "./harness.ts";

/** A reply that ends between two events, or the whole reply. */
interface ReplyToBoundary {
  readonly at: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

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
