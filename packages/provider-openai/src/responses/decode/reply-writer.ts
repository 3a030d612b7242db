import type { Emit, TurnEvent } from "@fullstop/core/adapter";
import type { ItemReader } from "./item.ts";

/** Where the readers of one reply write what they read. */
export interface ReplyWriter {
  emit(reader: ItemReader, event: TurnEvent): void;
  /** Whether this reader emitted the last event. Provider data belongs to the last block. */
  emittedLast(reader: ItemReader): boolean;
  markRefused(): void;
  /** A tool of the provider has started. It may have side effects. */
  markSideEffects(): void;
  /** The item needs an answer. */
  expectAnswer(id: string, type: string): void;
  addAnswer(id: string): void;
  /** The reply contradicts itself about one item. Counts if the reply claims to be complete. */
  addContradiction(what: string): void;
}

/** What is known when the last item of a reply was read. */
export interface ReplyFindings {
  isRefused(): boolean;
  /** The type of an item that the reply leaves without an answer. */
  unansweredType(): string | undefined;
  /** The first contradiction. */
  contradiction(): string | undefined;
}

export function createReplyWriter(emit: Emit): ReplyWriter & ReplyFindings {
  const unanswered = new Map<string, string>();
  let last: ItemReader | undefined;
  let refused = false;
  let contradiction: string | undefined;
  return {
    emit(reader, event) {
      last = reader;
      emit(event);
    },
    emittedLast: (reader) => last === reader,
    markRefused: () => {
      refused = true;
    },
    markSideEffects: () => emit({ type: "side-effects" }),
    expectAnswer: (id, type) => unanswered.set(id, type),
    addAnswer: (id) => unanswered.delete(id),
    addContradiction: (what) => {
      contradiction ??= what;
    },
    isRefused: () => refused,
    unansweredType: () => [...unanswered.values()].find((type) => type !== "program"),
    contradiction: () => contradiction,
  };
}
