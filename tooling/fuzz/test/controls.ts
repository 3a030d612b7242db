import type { Adapter } from "@fullstop/core";
import type { EventBatches, TurnEvent } from "@fullstop/core/adapter";
import type { Property } from "../src/judge.ts";

/** An adapter that is broken on purpose, and the property that it violates. */
export interface Control {
  readonly what: string;
  readonly property: Property;
  alter(adapter: Adapter): Adapter;
}

/** Changes the events of a decoder. */
const changeEvents =
  (change: () => (event: TurnEvent) => readonly TurnEvent[]) =>
  (adapter: Adapter): Adapter => ({
    ...adapter,
    decoder: (emit) => {
      const changed = change();
      return adapter.decoder((event) => {
        for (const next of changed(event)) emit(next);
      });
    },
  });

const key = (event: TurnEvent): string | number | undefined =>
  "key" in event ? event.key : undefined;

/** Drops the second call of each reply. */
const dropsCall = changeEvents(() => {
  const keys: (string | number)[] = [];
  return (event) => {
    const of = key(event);
    if (of !== undefined && !keys.includes(of)) keys.push(of);
    return of !== undefined && keys.indexOf(of) === 1 ? [] : [event];
  };
});

const rewrites = changeEvents(() => (event) => {
  if (event.type === "tool-input-delta") return [{ ...event, text: event.text.replace("a", "b") }];
  return event.type === "tool-input-end" && event.text !== undefined
    ? [{ ...event, text: event.text.replace("a", "b") }]
    : [event];
});

const upperCases = changeEvents(() => (event) => [
  event.type === "text" ? { ...event, text: event.text.toUpperCase() } : event,
]);

/** Treats the end of the bytes as the end of the reply. */
function treatsEofAsEnd(adapter: Adapter): Adapter {
  const eof = Symbol("the end of the bytes");
  async function* withEof(batches: EventBatches<unknown>): AsyncGenerator<readonly unknown[]> {
    yield* batches;
    yield [eof];
  }
  return {
    ...adapter,
    stops: { ...adapter.stops, [eof.description ?? ""]: "stop" },
    open: async (request, signal) => withEof(await adapter.open(request, signal)),
    decoder: (emit) => {
      const decode = adapter.decoder(emit);
      return (native) => {
        if (native === eof)
          emit({ type: "stop", native: eof.description ?? "", provisional: false });
        else decode(native);
      };
    },
  };
}

/** Knows no native stop reason. */
const knowsNoStop = (adapter: Adapter): Adapter => ({ ...adapter, stops: {} });

/** A request that cannot be made. */
const throws = (adapter: Adapter): Adapter => ({
  ...adapter,
  get maxTokens(): never {
    throw new Error("no cap");
  },
});

export const controls: readonly Control[] = [
  { what: "drops a call", property: "lost", alter: dropsCall },
  {
    what: "treats the end of the bytes as the end of the reply",
    property: "unfinished",
    alter: treatsEofAsEnd,
  },
  { what: "knows no native stop reason", property: "withheld", alter: knowsNoStop },
  { what: "changes an input", property: "input", alter: rewrites },
  { what: "changes the text", property: "exact", alter: upperCases },
  { what: "throws", property: "settles", alter: throws },
];
