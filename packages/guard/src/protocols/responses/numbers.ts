import type { Fields } from "@fullstop/core/adapter";
import type { Place, Places } from "./places.ts";

/** Items that went out keep theirs. */
export interface Indices {
  next(): number;
  change(event: Fields, place: Place | undefined): Fields;
}

/** `used`: the largest index of the events that went out. Their items may not have begun. */
export function createIndices(places: Places, held: readonly Fields[], used: number): Indices {
  const heldEvents = new Set(held);
  const indices = new Map<Place, number | undefined>();
  let next = used + 1;
  for (const place of places.all) {
    if (heldEvents.has(place.first)) continue;
    indices.set(place, place.index);
    next = Math.max(next, (place.index ?? indices.size - 1) + 1);
  }
  return {
    next: () => next++,
    change(event, place) {
      if (place === undefined) return {};
      if (!indices.has(place)) indices.set(place, next++);
      const { output_index: old } = event;
      const index = indices.get(place);
      return typeof old !== "number" || index === old ? {} : { output_index: index };
    },
  };
}

/** Hosts that give none get none. */
export interface Sequence {
  next(): Fields;
  change(event: Fields): Fields;
}

export function createSequence(held: readonly Fields[]): Sequence {
  let next = held.map(numberOf).find((number) => number !== undefined);
  return {
    next: () => (next === undefined ? {} : { sequence_number: next++ }),
    change(event) {
      const old = numberOf(event);
      if (old === undefined || next === undefined) return {};
      const sequence_number = next++;
      return sequence_number === old ? {} : { sequence_number };
    },
  };
}

export const numberOf = ({ sequence_number: number }: Fields): number | undefined =>
  typeof number === "number" ? number : undefined;
