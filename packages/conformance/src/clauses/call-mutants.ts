import type { TurnEvent } from "@fullstop/core/adapter";
import { isObject, nestedValues, tryParseJson } from "../harness/json.ts";
import type { AdapterSubject } from "../subject.ts";
import { changeAdapter } from "./mutants.ts";

/** Finds calls that a sound decoder does not find. Created for each reply. */
interface CallFinder {
  find(native: unknown): readonly TurnEvent[];
  /** Called behind each native event with what the decoder read. */
  note(native: unknown, read: readonly TurnEvent[]): void;
}

/** A decoder that also gives out the calls of a finder. */
const alsoFind = (create: () => CallFinder): ((sound: AdapterSubject) => AdapterSubject) =>
  changeAdapter((adapter) => ({
    decoder: (emit) => {
      const finder = create();
      let read: TurnEvent[] = [];
      const decode = adapter.decoder((event) => {
        read.push(event);
        emit(event);
      });
      const decodeMore = (native: unknown): void => {
        for (const event of finder.find(native)) emit(event);
        read = [];
        decode(native);
        finder.note(native, read);
      };
      return Object.assign(decodeMore, decode.settle && { settle: decode.settle });
    },
  }));

const again = (event: TurnEvent): TurnEvent => ({
  ...event,
  ...("key" in event && { key: `${event.key} again` }),
  ...(event.type === "tool-input-start" && { id: `${event.id}_again` }),
});

/** Takes each event that ends a call for the end of a call. */
export const runAtEachEnd: ReturnType<typeof alsoFind> = alsoFind(() => {
  const calls = new Map<unknown, TurnEvent[]>();
  const ended = new Map<string, readonly TurnEvent[]>();
  return {
    find: (native) => (ended.get(JSON.stringify(native)) ?? []).map(again),
    note(native, read) {
      for (const event of read) {
        if (!event.type.startsWith("tool-input") || !("key" in event)) continue;
        const events = calls.get(event.key) ?? [];
        calls.set(event.key, [...events, event]);
        if (event.type === "tool-input-end") ended.set(JSON.stringify(native), [...events, event]);
      }
    },
  };
});

/** A call in a native event, with the whole text of its input. */
interface ListedCall {
  readonly id: string;
  readonly name: string;
  readonly inputText: string;
}

const eventsOf = ({ id, name, inputText }: ListedCall): readonly TurnEvent[] => [
  { type: "tool-input-start", key: `listed ${id}`, id, name },
  { type: "tool-input-delta", key: `listed ${id}`, text: inputText },
  { type: "tool-input-end", key: `listed ${id}` },
];

function listedCall(value: unknown, id: unknown): readonly ListedCall[] {
  if (!isObject(value) || typeof id !== "string") return [];
  const { name, arguments: inputText } = value;
  return typeof name === "string" &&
    typeof inputText === "string" &&
    isObject(tryParseJson(inputText))
    ? [{ id, name, inputText }]
    : [];
}

/** Takes a call of the final response under an id that is new for another call. */
export const runUnderEachId: ReturnType<typeof alsoFind> = alsoFind(() => {
  const ids = new Set<unknown>();
  return {
    find: (native) =>
      [...nestedValues(native)]
        .flatMap((value) => (isObject(value) ? listedCall(value, value["call_id"]) : []))
        .filter(({ id }) => ids.size > 0 && !ids.has(id))
        .flatMap(eventsOf),
    note(_, read) {
      for (const event of read) if (event.type === "tool-input-start") ids.add(event.id);
    },
  };
});

/** Takes the deprecated `function_call` for a call of its own. */
export const runFunctionCalls: ReturnType<typeof alsoFind> = alsoFind(() => ({
  find: (native) =>
    [...nestedValues(native)]
      .flatMap((value) =>
        isObject(value) ? listedCall(value["function_call"], "function_call") : [],
      )
      .flatMap(eventsOf),
  note: () => undefined,
}));
