import { isObject, parseJson } from "../harness/json.ts";
import type { Wire } from "../wire.ts";

/** The members of the objects that a server of the wire sends in one piece: a whole reply, its end, an error. */
function shapesOf(wire: Wire): readonly (readonly string[])[] {
  const replies = Object.values(wire.nativeStops).flatMap((stop) => {
    const reply = { blocks: [{ text: "All done." }], stop, output: 12 };
    return [wire.whole?.(reply), wire.frames(reply).upToTerminal.at(-1)];
  });
  const failures = [
    ...(wire.errors ?? []).map(({ frame }) => frame),
    ...(wire.failures ?? []).map(({ body }) => body),
  ];
  return [...replies, ...failures].flatMap((text) => {
    const value = text === undefined ? undefined : parseJson(text);
    return isObject(value) ? [Object.keys(value)] : [];
  });
}

/** Tells what a server of the wire may have sent from other JSON: it has half of the members of something that the wire says, or more. */
export function looksLike(wire: Wire): (value: unknown) => boolean {
  const shapes = shapesOf(wire);
  return (value) =>
    isObject(value) &&
    shapes.some(
      (keys) =>
        keys.filter((key) => Object.hasOwn(value, key)).length >= Math.max(1, keys.length / 2),
    );
}
