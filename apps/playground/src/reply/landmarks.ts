import type { InputKey, TurnEvent } from "@fullstop/core/adapter";
import { framesOf } from "./frames.ts";
import { type ProtocolName, protocols } from "./protocols.ts";

/** A part of a reply that a person looks for, by its first byte and the byte behind it. */
export interface Landmark {
  readonly kind: "call" | "stop";
  readonly label: string;
  readonly from: number;
  readonly to: number;
}

/** Where the calls and the native stop reason of a reply are. */
export function landmarksOf(text: string, protocol: ProtocolName): readonly Landmark[] {
  const { reader } = protocols[protocol];
  const calls = new Map<InputKey, Landmark>();
  const stops: Landmark[] = [];
  let place = { from: 0, to: 0 };
  const note = (event: TurnEvent): void => {
    if (event.type === "stop") stops.push({ kind: "stop", label: event.native, ...place });
    if (event.type === "tool-input-start" && !event.echo && !calls.has(event.key))
      calls.set(event.key, { kind: "call", label: event.name ?? "call", ...place });
    const key = event.type === "tool-input-delta" || event.type === "tool-input-end";
    const known = key ? calls.get(event.key) : undefined;
    if (known !== undefined && key) calls.set(event.key, { ...known, to: place.to });
  };
  const decode = reader.decoder(note);
  const encoder = new TextEncoder();
  for (const { raw, value } of framesOf(text)) {
    place = { from: place.to, to: place.to + encoder.encode(raw).length };
    try {
      if (value !== undefined) decode(value);
    } catch {
      // The gate says what cannot be read. What came before it is still where it is.
      break;
    }
  }
  const [stop] = stops;
  return [...calls.values(), ...(stop ? [stop] : [])];
}
