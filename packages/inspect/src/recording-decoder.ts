import type { Fields } from "@fullstop/core/adapter";
import type { RecordedEvent } from "./recording.ts";
import { eventParts, type Part, placeOf } from "./recording-parts.ts";

export type DecodeEvent = (line: Fields, lineNumber: number) => readonly RecordedEvent[];

interface Decoding {
  readonly shared: Map<number, unknown>;
  readonly lists: Map<string, readonly unknown[]>;
  readonly place: string;
  readonly reportMissing: () => void;
}

/** Reads the lines behind one head. `report` takes sentences about what cannot be read. */
export function createEventDecoder(report: (flaw: string) => void): DecodeEvent {
  const shared = new Map<number, unknown>();
  const lists = new Map<string, readonly unknown[]>();
  let position: Fields = { runId: "", path: [], turnNumber: 0 };
  return (line, lineNumber) => {
    const { type, previews, runId, path, turnNumber, ...body } = { ...position, ...line };
    position = { runId, path, turnNumber };
    const part = eventParts.get(type);
    if (part === undefined)
      report(
        `An event has the type "${String(type)}", which this release does not know. A newer release may show it.`,
      );
    const place = placeOf(String(runId), Array.isArray(path) ? path : []);
    let isWhole = true;
    const reportMissing = (): void => {
      isWhole = false;
    };
    const decoded = decodePart(body, part ?? {}, { shared, lists, place, reportMissing });
    if (!isWhole) {
      report(`Line ${lineNumber} refers to a line that is missing. It is left out.`);
      return [];
    }
    const at = { ...position, at: line["at"] };
    const event = { type, ...(decoded as object), ...at } as unknown as RecordedEvent;
    if (!Array.isArray(previews)) return [event];
    const shown = previews.map((preview) => ({ ...preview, ...at }) as RecordedEvent);
    return event.type === "chunk" && event.natives.length === 0 ? shown : [...shown, event];
  };
}

function decodePart(value: unknown, part: Part, decoding: Decoding): unknown {
  if (part.list) return decodeList(value, part, decoding);
  if (!part.shared) return decodeInside(value, part, decoding);
  if (typeof value === "number") {
    if (!decoding.shared.has(value)) decoding.reportMissing();
    return decoding.shared.get(value);
  }
  if (!Array.isArray(value)) return value;
  const [number, written] = value as unknown as readonly [number, unknown];
  const inside = decodeInside(written, part, decoding);
  decoding.shared.set(number, inside);
  return inside;
}

function decodeInside(value: unknown, { each, members }: Part, decoding: Decoding): unknown {
  if (each !== undefined && Array.isArray(value))
    return value.map((one) => decodePart(one, each, decoding));
  if (members === undefined || typeof value !== "object" || value === null) return value;
  const decoded = Object.entries(value).map(([name, member]) => {
    const part = Object.hasOwn(members, name) ? members[name] : undefined;
    return [name, part === undefined ? member : decodePart(member, part, decoding)];
  });
  return Object.fromEntries(decoded);
}

function decodeList(value: unknown, { each = {} }: Part, decoding: Decoding): unknown {
  if (typeof value !== "object" || value === null || !("after" in value)) return value;
  const { after, more } = value as { readonly after: number; readonly more: readonly unknown[] };
  const { lists, place } = decoding;
  const before = lists.get(place) ?? [];
  if (before.length < after) decoding.reportMissing();
  const list = [...before.slice(0, after), ...more.map((one) => decodePart(one, each, decoding))];
  lists.set(place, list);
  return list;
}
