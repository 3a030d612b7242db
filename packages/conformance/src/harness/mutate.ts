import { isObject, parseJson } from "./bytes.ts";
import type { Frames } from "../wire.ts";

/** A string inside a frame's JSON. */
interface Leaf {
  readonly frame: number;
  readonly path: string;
  readonly holder: Record<string, unknown>;
  readonly key: string;
  readonly text: string;
}

export function* leavesOf(value: unknown, frame: number, path: string): Generator<Leaf> {
  if (typeof value !== "object" || value === null) return;
  const holder = value as Record<string, unknown>;
  for (const [key, inner] of Object.entries(holder)) {
    const here = `${path}/${Array.isArray(value) ? "" : key}`;
    if (typeof inner === "string") yield { frame, path: here, holder, key, text: inner };
    else yield* leavesOf(inner, frame, here);
  }
}

/** The leaves, next to each other in one place of the protocol, that spell `text` together. */
function findSpelling(leaves: readonly Leaf[], text: string): readonly Leaf[] | undefined {
  for (let from = 0; from < leaves.length; from++) {
    let joined = leaves[from]?.text ?? "";
    if (joined === "") continue;
    let to = from + 1;
    while (to < leaves.length && joined.length < text.length) joined += leaves[to++]?.text;
    if (joined === text) return leaves.slice(from, to);
  }
  return undefined;
}

function replaceSpelling(leaves: readonly Leaf[], text: string): void {
  let at = 0;
  leaves.forEach(({ holder, key, text: piece }, n) => {
    const end = n === leaves.length - 1 ? text.length : at + piece.length;
    holder[key] = text.slice(at, end);
    at = end;
  });
}

/** Replaces the text of an input wherever the frames spell it, in one piece or in many. Nothing where the protocol sends no text for it. */
export function replaceInput(frames: Frames, from: string, to: string): Frames | undefined {
  const values = frames.upToTerminal.map((payload) => structuredClone(parseJson(payload)));
  const places = Map.groupBy(
    values.flatMap((value, frame) => [...leavesOf(value, frame, "")]),
    ({ path }) => path,
  );
  let found = false;
  for (const leaves of places.values()) {
    const spelt = findSpelling(leaves, from);
    if (spelt === undefined) continue;
    replaceSpelling(spelt, to);
    found = true;
  }
  if (!found) return undefined;
  return {
    ...frames,
    upToTerminal: frames.upToTerminal.map((payload, n) =>
      values[n] === undefined ? payload : JSON.stringify(values[n]),
    ),
  };
}

/** The text with other JSON in place of some, also where it stands inside a string. Nothing where it does not stand there. */
export function replaceJson(text: string, from: string, to: string): string | undefined {
  if (text.includes(from)) return text.replace(from, () => to);
  const inside = (json: string): string => JSON.stringify(json).slice(1, -1);
  return text.includes(inside(from)) ? text.replace(inside(from), () => inside(to)) : undefined;
}

/** The frames with something that no reader knows yet: in each, beside what is there. */
export function addUnknownFields(frames: Frames): Frames {
  const grow = (payload: string): string => {
    const value = parseJson(payload);
    if (!isObject(value)) return payload;
    const inner = Object.entries(value).map(([key, part]) => [
      key,
      isObject(part) ? { ...part, x_unknown: { of: ["later"] } } : part,
    ]);
    return JSON.stringify({ ...Object.fromEntries(inner), x_unknown: { of: ["later"] } });
  };
  return { upToTerminal: frames.upToTerminal.map(grow), after: (frames.after ?? []).map(grow) };
}

/** The frames with `payload` at position `at`. */
export const insertFrame = (frames: Frames, at: number, payload: string): Frames => ({
  ...frames,
  upToTerminal: frames.upToTerminal.toSpliced(at, 0, payload),
});
