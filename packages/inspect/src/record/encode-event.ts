import type { RecordedEvent } from "../recording.ts";
import { eventParts, type Part, placeOf } from "../recording-parts.ts";

/** The line of an event, without its end. `toPlain` copies what is not shared. */
type EncodeEvent = (event: RecordedEvent, toPlain: (value: unknown) => unknown) => string;

type LinePosition = Pick<RecordedEvent, "runId" | "path" | "turnNumber">;

interface Shared {
  readonly numbers: WeakMap<object, number>;
  /** Instructions, which are mostly the same text in each request. Only the last ones are known. */
  readonly texts: Map<string, number>;
  count: number;
  readonly lists: Map<string, readonly unknown[]>;
}

export function createEventEncoder(): EncodeEvent {
  const shared: Shared = {
    numbers: new WeakMap(),
    texts: new Map(),
    count: 0,
    lists: new Map(),
  };
  let last: LinePosition | undefined;
  return (event, toPlain) => {
    const { type, at, runId, path, turnNumber, ...body } = event;
    const place = placeOf(runId, path);
    const encoding: Encoding = { shared, place, toPlain };
    const line = {
      type,
      at,
      ...changesOf({ runId, path, turnNumber }, last),
      ...(encodePart(body, eventParts.get(type) ?? {}, encoding) as object),
    };
    last = { runId, path, turnNumber };
    if (type === "end") forget(shared.lists, place, path.length === 0 ? runId : undefined);
    return JSON.stringify(line);
  };
}

function changesOf(position: LinePosition, last: LinePosition | undefined): Partial<LinePosition> {
  const { runId, path, turnNumber } = position;
  if (last === undefined) return position;
  const isSamePath =
    path === last.path ||
    (path.length === last.path.length && path.every((key, depth) => key === last.path[depth]));
  return {
    ...(runId !== last.runId && { runId }),
    ...(!isSamePath && { path }),
    ...(turnNumber !== last.turnNumber && { turnNumber }),
  };
}

function forget(
  lists: Map<string, readonly unknown[]>,
  place: string,
  endedRun: string | undefined,
): void {
  lists.delete(place);
  if (endedRun === undefined) return;
  const beginning = placeOf(endedRun, []).slice(0, -1);
  for (const key of lists.keys()) if (key.startsWith(beginning)) lists.delete(key);
}

interface Encoding {
  readonly shared: Shared;
  readonly place: string;
  readonly toPlain: (value: unknown) => unknown;
}

function encodePart(value: unknown, part: Part, encoding: Encoding): unknown {
  if (value === undefined || value === null) return value;
  if (part.list && Array.isArray(value)) return encodeList(value, part, encoding);
  if (!part.shared) return encodeInside(value, part, encoding);
  const known = numberOf(value, encoding.shared);
  if (known !== undefined) return known;
  const number = remember(value, encoding.shared);
  return [number, encodeInside(value, part, encoding)];
}

function encodeInside(value: unknown, part: Part, encoding: Encoding): unknown {
  const { each, members } = part;
  if (each !== undefined && Array.isArray(value))
    return value.map((one) => encodePart(one, each, encoding));
  if (members === undefined || typeof value !== "object" || value === null)
    return encoding.toPlain(value);
  const own = Object.entries(value);
  const plain = encoding.toPlain(
    Object.fromEntries(own.filter(([name]) => !Object.hasOwn(members, name))),
  );
  const encoded = own.flatMap(([name, member]) => {
    const inner = Object.hasOwn(members, name) ? members[name] : undefined;
    return inner === undefined ? [] : [[name, encodePart(member, inner, encoding)]];
  });
  return { ...(plain as object), ...Object.fromEntries(encoded) };
}

function encodeList(value: readonly unknown[], part: Part, encoding: Encoding): unknown {
  const { shared, place } = encoding;
  const before = shared.lists.get(place) ?? [];
  let after = 0;
  while (after < value.length && after < before.length && value[after] === before[after]) after++;
  shared.lists.set(place, value);
  const more = value.slice(after).map((one) => encodePart(one, part.each ?? {}, encoding));
  return { after, more };
}

const numberOf = (value: unknown, { numbers, texts }: Shared): number | undefined => {
  if (typeof value === "string") return texts.get(value);
  return typeof value === "object" && value !== null ? numbers.get(value) : undefined;
};

function remember(value: unknown, shared: Shared): number {
  shared.count += 1;
  if (typeof value === "string") rememberText(value, shared);
  else if (typeof value === "object" && value !== null) shared.numbers.set(value, shared.count);
  return shared.count;
}

/** A program may write other instructions for each run, and record for years. */
const maxTexts = 100;

function rememberText(text: string, { texts, count }: Shared): void {
  const [oldest] = texts.keys();
  if (texts.size >= maxTexts && oldest !== undefined) texts.delete(oldest);
  texts.set(text, count);
}
