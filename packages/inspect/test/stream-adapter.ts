import type { Adapter } from "@fullstop/core";
import { defineAdapter } from "@fullstop/core/adapter";

interface Piece {
  readonly type: "delta" | "end";
  readonly delta: { readonly text: string };
}

/** A provider whose events are pieces of a text, one and two of them in turn in a chunk. */
export const streamAdapter = (texts: readonly string[]): Adapter =>
  defineAdapter<Piece>({
    provider: "pieces",
    protocol: "pieces",
    model: "pieces",
    stops: { end: "stop" },
    toolInputEnd: "explicit",
    open: async () => chunksOf(texts),
    decoder:
      (emit) =>
      ({ type, delta }) => {
        if (type === "end") emit({ type: "stop", native: "end", provisional: false });
        else emit({ type: "text", text: delta.text });
      },
  });

async function* chunksOf(texts: readonly string[]): AsyncGenerator<readonly Piece[]> {
  const pieces = texts.map((text): Piece => ({ type: "delta", delta: { text } }));
  for (let at = 0, size = 1; at < pieces.length; at += size, size = 3 - size)
    yield pieces.slice(at, at + size);
  yield [{ type: "end", delta: { text: "" } }];
}
