import type { WithheldReason } from "@fullstop/core";
import type { Frames, ReplyCall } from "../wire.ts";
import { jsonAnswer } from "./bytes.ts";
import { type Check, outline } from "./check.ts";
import type { Harness } from "./harness.ts";
import { checkReply } from "./harness.ts";
import type { Answer } from "./host.ts";
import { isObject, type StringLeaf, stringLeaves, tryParseJson } from "./json.ts";
import { finishedCalls } from "./scenarios.ts";

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

/** Replaces the text of an input in all frames that hold it. `undefined` if none holds it. */
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

/** Replaces JSON in a text, also if a string holds it. `undefined` if the text lacks it. */
export function replaceJson(text: string, from: string, to: string): string | undefined {
  if (text.includes(from)) return text.replace(from, () => to);
  const escaped = (json: string): string => JSON.stringify(json).slice(1, -1);
  return text.includes(escaped(from)) ? text.replace(escaped(from), () => escaped(to)) : undefined;
}

export const mapFrames = (
  { upToTerminal, after }: Frames,
  change: (payload: string) => string,
): Frames => ({
  upToTerminal: upToTerminal.map(change),
  ...(after && { after: after.map(change) }),
});

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
  return mapFrames(frames, grow);
}

export const insertFrame = (frames: Frames, at: number, payload: string): Frames => ({
  ...frames,
  upToTerminal: frames.upToTerminal.toSpliced(at, 0, payload),
});

export const finishedReply = ({ wire }: Harness, blocks: readonly ReplyCall[]): Frames =>
  wire.frames(finishedCalls(wire, blocks));

/** The same reply, with another text as its first input. `undefined` if inputs are not text. */
export const withInputText = (
  harness: Harness,
  calls: readonly [ReplyCall, ...ReplyCall[]],
  text: string,
): Frames | undefined =>
  replaceInput(finishedReply(harness, calls), JSON.stringify(calls[0].input), text);

/** Returns the reply as a JSON body with another input, or `undefined` if it has no such body. */
export function bodyWithInput(
  { wire }: Harness,
  call: ReplyCall,
  json: string,
): Answer | undefined {
  const body = wire.whole?.(finishedCalls(wire, [call]));
  const other =
    body === undefined ? undefined : replaceJson(body, JSON.stringify(call.input), json);
  return other === undefined ? undefined : jsonAnswer(other);
}

/** Each text, as the complete input of a closed call, must be withheld for its reason. */
export async function* checkInputsNeverRun(
  harness: Harness,
  call: ReplyCall,
  texts: Readonly<Record<string, WithheldReason>>,
): AsyncGenerator<Check> {
  for (const [text, reason] of Object.entries(texts)) {
    const frames = withInputText(harness, [call], text);
    if (frames === undefined) continue;
    yield checkReply(harness, `${call.name} with the input ${text}`, frames, {
      expected: `malformed-tool-call, runs nothing: ${reason}`,
      describe: (turn) => `${outline(turn)}: ${turn.withheld.map((one) => one.reason).join()}`,
    });
  }
}

export const sameReason = (
  reason: WithheldReason,
  texts: readonly string[],
): Readonly<Record<string, WithheldReason>> =>
  Object.fromEntries(texts.map((text) => [text, reason]));

export const whyNoInputText = (harness: Harness): string | undefined =>
  withInputText(harness, [{ name: "read", id: "call_1", input: { path: "a" } }], "{}") === undefined
    ? "the wire sends inputs as JSON, not as text"
    : undefined;
