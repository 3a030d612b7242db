import { stretch } from "./stretch.ts";
import type { BenchWire } from "./wire.ts";
import type { WireName } from "./wires/index.ts";

/** A native event. */
export type Event = Readonly<Record<string, unknown>>;

const parseFrames = (frames: readonly string[]): readonly Event[] =>
  frames.filter((frame) => frame !== "[DONE]").map((frame) => JSON.parse(frame) as Event);

interface CallOptions {
  readonly sameId?: boolean;
  readonly sameInput?: boolean;
  /** The number of the first call. */
  readonly from?: number;
}
/** The events of a reply with `count` calls. */
export function callsOf(
  { wire }: BenchWire,
  count: number,
  { sameId = false, sameInput = false, from = 0 }: CallOptions = {},
): readonly Event[] {
  const stop = wire.nativeStops["tool-use"] ?? wire.nativeStops.stop ?? "";
  const blocks = Array.from({ length: count }, (_, at) => ({
    name: "write",
    id: sameId ? "call_0" : `call_${from + at}`,
    input: { n: sameInput ? 0 : from + at },
  }));
  const { upToTerminal, after = [] } = wire.frames({ blocks, stop, output: 1000 });
  return parseFrames([...upToTerminal, ...after]);
}

/** The same events without the ids of their calls. */
export const withoutIds = (events: readonly Event[]): readonly Event[] =>
  withoutMembers((key, value) => isIdKey(key) && isCallId(value), events);
const idKeys: ReadonlySet<string> = new Set(["id", "call_id", "toolUseId"]);
const isIdKey = (key: string): boolean => idKeys.has(key);
const isCallId = (value: unknown): boolean =>
  typeof value === "string" && value.startsWith("call_");

function withoutMembers(
  leaves: (key: string, value: unknown) => boolean,
  events: readonly Event[],
): readonly Event[] {
  return JSON.parse(
    JSON.stringify(events, (key, value: unknown) => (leaves(key, value) ? undefined : value)),
  ) as readonly Event[];
}

/** The events of one JSON input in `count` pieces. */
const inPieces = ({ wire }: BenchWire, count: number): readonly Event[] =>
  parseFrames(
    stretch(wire, {
      kind: "input",
      pieces: ["[1", ...Array.from({ length: count - 2 }, () => ",1"), "]"],
    }),
  );

/** Repeats with each piece what some hosts and gateways repeat. */
const restaters: Readonly<
  Partial<Record<WireName, (events: readonly Event[]) => readonly Event[]>>
> = {
  chat: (events) => {
    const begins =
      events.map((event) => JSON.stringify(event)).find((text) => text.includes('"name"')) ?? "";
    return events.map((event) => {
      const [, written] = /"arguments":("(?:[^"\\]|\\.)*")/.exec(JSON.stringify(event)) ?? [];
      return written === undefined
        ? event
        : (JSON.parse(begins.replace('"arguments":""', () => `"arguments":${written}`)) as Event);
    });
  },
  responses: (events) => {
    const begins = events.find(({ type }) => type === "response.output_item.added");
    return events.flatMap((event) =>
      begins && event["type"] === "response.function_call_arguments.delta"
        ? [begins, event]
        : [event],
    );
  },
};

/** The events that a bench sends, unless its protocol has no such reply. */
type Hostile = (wire: WireName, bench: BenchWire, count: number) => readonly Event[] | undefined;

const onlyOver =
  (only: WireName, make: (bench: BenchWire, count: number) => readonly Event[]): Hostile =>
  (wire, bench, count) =>
    wire === only ? make(bench, count) : undefined;

/** One input in `count` pieces; each piece repeats the name. */
export const restated: Hostile = (wire, bench, count) => restaters[wire]?.(inPieces(bench, count));

/** The same without indices and ids. */
export const unnumbered: Hostile = onlyOver("chat", (bench, count) =>
  withoutMembers(
    (key, value) => key === "index" || (isIdKey(key) && isCallId(value)),
    restated("chat", bench, count) ?? [],
  ),
);

/** Calls at every second index, and an empty delta at each index between them. */
export const withGaps: Hostile = onlyOver("chat", (bench, count) =>
  callsOf(bench, count).flatMap((event) => {
    const [, index] = /"tool_calls":\[\{"index":(\d+)/.exec(JSON.stringify(event)) ?? [];
    if (index === undefined) return [event];
    const at = 2 * Number(index);
    const delta = { tool_calls: [{ index: at + 1, function: { arguments: "" } }] };
    return [withIndex(event, at), { ...event, choices: [{ index: 0, delta }] }];
  }),
);
const withIndex = (event: Event, at: number): Event =>
  JSON.parse(JSON.stringify(event).replace(/("tool_calls":\[\{"index":)\d+/, `$1${at}`)) as Event;

/** The final output lists as many other calls, and then the calls under other ids. */
export const otherIds: Hostile = onlyOver("responses", (bench, count) =>
  callsOf(bench, count).map((event) => {
    const { response } = event as { readonly response?: { readonly output?: readonly object[] } };
    const output = response?.output ?? [];
    if (output.length === 0) return event;
    const more = output.map((item, at) => ({
      ...item,
      call_id: `new_${at}`,
      id: `new_${at}`,
      arguments: `{"n":${-1 - at}}`,
    }));
    const again = output.map((item, at) => ({ ...item, call_id: `c_${at}`, id: `c_${at}` }));
    return { ...event, response: { ...response, output: [...more, ...again] } };
  }),
);

/** The events of a text reply. */
export const textOf = ({ wire }: BenchWire): readonly Event[] =>
  parseFrames(stretch(wire, { kind: "text", pieces: ["Done."] }));
