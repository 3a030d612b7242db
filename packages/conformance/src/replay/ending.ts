import { parseJson, stringLeaves } from "../harness/json.ts";
import type { Wire } from "../wire.ts";

/** Strings by their place in an event. */
type Places = ReadonlyMap<string, ReadonlySet<string>>;

function placesIn(events: readonly string[]): Places {
  const places = new Map<string, Set<string>>();
  for (const payload of events) {
    const value = parseJson(payload);
    const leaves = value === undefined ? [{ path: "", text: payload }] : stringLeaves(value, 0, "");
    for (const { path, text } of leaves)
      if (text !== "") places.set(path, (places.get(path) ?? new Set()).add(text));
  }
  return places;
}

/** A string in an event that says: this ends the reply. Without a text, any string in this place. */
interface Mark {
  readonly path: string;
  readonly text?: string;
}

/** What stands in the last event of a reply, with text and without, and in none before it. */
function marksOf(wire: Wire, stop: string): readonly Mark[] {
  const empty = wire.frames({ blocks: [], stop, output: 12 }).upToTerminal;
  const said = wire.frames({ blocks: [{ text: "All done." }], stop, output: 12 }).upToTerminal;
  const before = placesIn([...empty.slice(0, -1), ...said.slice(0, -1)]);
  const last = placesIn(said.slice(-1));
  return [...placesIn(empty.slice(-1))].flatMap(([path, texts]): readonly Mark[] => {
    const used = before.get(path);
    if (!last.has(path)) return [];
    return used === undefined
      ? [{ path }]
      : [...texts].filter((text) => !used.has(text)).map((text) => ({ path, text }));
  });
}

/**
 * Whether an event is one that ends a reply, read off the replies that the wire says. The adapter is not asked:
 * one that promotes cut replies would find their end wherever they were cut.
 */
export function endings(wire: Wire): (payload: string) => boolean {
  const marks = [...new Set(Object.values(wire.nativeStops))].flatMap((stop) =>
    marksOf(wire, stop),
  );
  return (payload) => {
    const places = placesIn([payload]);
    return marks.some(({ path, text }) =>
      text === undefined ? places.has(path) : places.get(path)?.has(text),
    );
  };
}
