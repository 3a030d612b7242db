import { stringLeaves, tryParseJson } from "../harness/json.ts";
import type { Wire } from "../wire.ts";

/** The strings of events by their path. */
type Places = ReadonlyMap<string, ReadonlySet<string>>;

function stringsByPlace(events: readonly string[]): Places {
  const places = new Map<string, Set<string>>();
  for (const payload of events) {
    const value = tryParseJson(payload);
    const leaves = value === undefined ? [{ path: "", text: payload }] : stringLeaves(value, 0, "");
    for (const { path, text } of leaves)
      if (text !== "") places.set(path, (places.get(path) ?? new Set()).add(text));
  }
  return places;
}

/** A string that only a terminal has. Without `text`, any string at this path. */
interface Mark {
  readonly path: string;
  readonly text?: string;
}

/** The strings that the last event of a reply has, with text and without, and no event before it. */
function marksOf(wire: Wire, stop: string): readonly Mark[] {
  const empty = wire.frames({ blocks: [], stop, output: 12 }).upToTerminal;
  const said = wire.frames({ blocks: [{ text: "All done." }], stop, output: 12 }).upToTerminal;
  const before = stringsByPlace([...empty.slice(0, -1), ...said.slice(0, -1)]);
  const last = stringsByPlace(said.slice(-1));
  return [...stringsByPlace(empty.slice(-1))].flatMap(([path, texts]): readonly Mark[] => {
    const used = before.get(path);
    if (!last.has(path)) return [];
    return used === undefined
      ? [{ path }]
      : [...texts].filter((text) => !used.has(text)).map((text) => ({ path, text }));
  });
}

/**
 * Whether an event ends a reply, derived from the replies that the wire makes. The adapter is not used:
 * an adapter that runs cut replies would find an end everywhere.
 */
export function terminalDetector(wire: Wire): (payload: string) => boolean {
  const marks = [...new Set(Object.values(wire.nativeStops))].flatMap((stop) =>
    marksOf(wire, stop),
  );
  return (payload) => {
    const places = stringsByPlace([payload]);
    return marks.some(({ path, text }) =>
      text === undefined ? places.has(path) : places.get(path)?.has(text),
    );
  };
}
