import { isObject, tryParseJson } from "../harness/json.ts";
import type { Wire } from "../wire.ts";

/** The keys of the objects that a server sends as a whole: a JSON body, a terminal, an error. */
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
    const value = text === undefined ? undefined : tryParseJson(text);
    return isObject(value) ? [Object.keys(value)] : [];
  });
}

/** Whether a server of the wire may have sent a JSON value: it has at least half of the keys of an object that the wire sends. */
export function looksLike(wire: Wire): (value: unknown) => boolean {
  const shapes = shapesOf(wire);
  return (value) =>
    isObject(value) &&
    shapes.some(
      (keys) =>
        keys.filter((key) => Object.hasOwn(value, key)).length >= Math.max(1, keys.length / 2),
    );
}
