import type { Adapter } from "@fullstop/core";
import type { EventBatches, TurnEvent } from "@fullstop/core/adapter";
import type { Property } from "../src/judge.ts";

/** An adapter that is broken on purpose, and the property that must not hold of it. */
export interface Control {
  readonly what: string;
  readonly property: Property;
  alter(adapter: Adapter): Adapter;
}

/** What a decoder says, changed by the way. A settle hook stays. */
const saying =
  (change: () => (event: TurnEvent) => readonly TurnEvent[]) =>
  (adapter: Adapter): Adapter => ({
    ...adapter,
    decoder: (emit) => {
      const changed = change();
      return adapter.decoder((event) => {
        for (const said of changed(event)) emit(said);
      });
    },
  });

const key = (event: TurnEvent): string | number | undefined =>
  "key" in event ? event.key : undefined;

/** The second call of each reply is not told. */
const dropsCall = saying(() => {
  const keys: (string | number)[] = [];
  return (event) => {
    const of = key(event);
    if (of !== undefined && !keys.includes(of)) keys.push(of);
    return of !== undefined && keys.indexOf(of) === 1 ? [] : [event];
  };
});

const rewrites = saying(() => (event) => {
  if (event.type === "tool-input-delta") return [{ ...event, text: event.text.replace("a", "b") }];
  return event.type === "tool-input-end" && event.text !== undefined
    ? [{ ...event, text: event.text.replace("a", "b") }]
    : [event];
});

const shouts = saying(() => (event) => [
  event.type === "text" ? { ...event, text: event.text.toUpperCase() } : event,
]);

/** The end of the bytes is taken for the end of the reply. */
function takesEofForTheEnd(adapter: Adapter): Adapter {
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

/** A word for a finished reply is not known. */
const knowsNoWord = (adapter: Adapter): Adapter => ({ ...adapter, stops: {} });

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
    what: "takes the end of the bytes for the end of the reply",
    property: "unfinished",
    alter: takesEofForTheEnd,
  },
  { what: "knows no word for a finished reply", property: "withheld", alter: knowsNoWord },
  { what: "changes an input", property: "input", alter: rewrites },
  { what: "changes the text", property: "exact", alter: shouts },
  { what: "throws", property: "settles", alter: throws },
];
