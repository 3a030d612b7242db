import type { Frames } from "../wire.ts";
import { isObject, type StringLeaf, stringLeaves, tryParseJson } from "./json.ts";

/** Finds neighbouring leaves of one path whose joined texts are `text`. */
function findSpelling(
  leaves: readonly StringLeaf[],
  text: string,
): readonly StringLeaf[] | undefined {
  for (let from = 0; from < leaves.length; from++) {
    let joined = leaves[from]?.text ?? "";
    if (joined === "") continue;
    let to = from + 1;
    while (to < leaves.length && joined.length < text.length) joined += leaves[to++]?.text;
    if (joined === text) return leaves.slice(from, to);
  }
  return undefined;
}

/** Writes `text` into the leaves. Each keeps its length; the last one takes the rest. */
function replaceSpelling(leaves: readonly StringLeaf[], text: string): void {
  let at = 0;
  leaves.forEach(({ holder, key, text: piece }, index) => {
    const end = index === leaves.length - 1 ? text.length : at + piece.length;
    holder[key] = text.slice(at, end);
    at = end;
  });
}

/**
 * Replaces the text of an input in all frames that hold it, in one piece or in many.
 * Returns `undefined` if the frames do not hold it as text.
 */
export function replaceInput(frames: Frames, from: string, to: string): Frames | undefined {
  const values = frames.upToTerminal.map((payload) => structuredClone(tryParseJson(payload)));
  const leavesByPath = Map.groupBy(
    values.flatMap((value, frame) => [...stringLeaves(value, frame, "")]),
    ({ path }) => path,
  );
  let found = false;
  for (const leaves of leavesByPath.values()) {
    const spelling = findSpelling(leaves, from);
    if (spelling === undefined) continue;
    replaceSpelling(spelling, to);
    found = true;
  }
  if (!found) return undefined;
  return {
    ...frames,
    upToTerminal: frames.upToTerminal.map((payload, index) =>
      values[index] === undefined ? payload : JSON.stringify(values[index]),
    ),
  };
}

/** Replaces JSON inside a text, also if a string holds it. Returns `undefined` if the text does not hold it. */
export function replaceJson(text: string, from: string, to: string): string | undefined {
  if (text.includes(from)) return text.replace(from, () => to);
  const escaped = (json: string): string => JSON.stringify(json).slice(1, -1);
  return text.includes(escaped(from)) ? text.replace(escaped(from), () => escaped(to)) : undefined;
}

/** Adds a member that no reader knows to each frame, and to each object directly inside it. */
export function addUnknownFields(frames: Frames): Frames {
  const grow = (payload: string): string => {
    const value = tryParseJson(payload);
    if (!isObject(value)) return payload;
    const inner = Object.entries(value).map(([key, part]) => [
      key,
      isObject(part) ? { ...part, x_unknown: { of: ["later"] } } : part,
    ]);
    return JSON.stringify({ ...Object.fromEntries(inner), x_unknown: { of: ["later"] } });
  };
  return { upToTerminal: frames.upToTerminal.map(grow), after: (frames.after ?? []).map(grow) };
}

/** Inserts a payload at position `at`. */
export const insertFrame = (frames: Frames, at: number, payload: string): Frames => ({
  ...frames,
  upToTerminal: frames.upToTerminal.toSpliced(at, 0, payload),
});
