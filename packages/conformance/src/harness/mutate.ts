import type { WithheldReason } from "@fullstop/core";
import type { Frames, ReplyCall } from "../wire.ts";
import { type Check, isFinished, outline } from "./check.ts";
import type { Harness } from "./harness.ts";
import { isObject, type StringLeaf, stringLeaves, tryParseJson } from "./json.ts";
import { finishedCalls } from "./scenarios.ts";
import { checkReplies, lackOfWays, type WrittenReply, writeReply } from "./ways.ts";

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

type Calls = readonly [ReplyCall, ...ReplyCall[]];

/** The same reply, changed in each way of writing. `undefined` if no way can be changed so. */
function changeWritten(
  { wire }: Pick<Harness, "wire">,
  calls: Calls,
  changeFrames: (frames: Frames, input: string) => Frames | undefined,
): WrittenReply | undefined {
  const { frames, body } = writeReply(wire, finishedCalls(wire, calls));
  const input = JSON.stringify(calls[0].input);
  const changed: WrittenReply = {
    frames: frames && changeFrames(frames, input),
    body: body && changeFrames({ upToTerminal: [body] }, input)?.upToTerminal[0],
  };
  return changed.frames === undefined && changed.body === undefined ? undefined : changed;
}

/** The same reply, with another text as its first input, in the ways in which inputs are text. */
export const withInputText = (
  harness: Pick<Harness, "wire">,
  calls: Calls,
  text: string,
): WrittenReply | undefined =>
  changeWritten(harness, calls, (frames, input) => replaceInput(frames, input, text));

/** The same reply, with other JSON as its first input, in the ways in which inputs are JSON. */
export const withInputJson = (
  harness: Pick<Harness, "wire">,
  calls: Calls,
  json: string,
): WrittenReply | undefined =>
  changeWritten(harness, calls, (frames, input) =>
    replaceInput(frames, input, input) === undefined
      ? replaceJsonIn(frames, input, json)
      : undefined,
  );

function replaceJsonIn(frames: Frames, from: string, to: string): Frames | undefined {
  const changed = mapFrames(frames, (payload) => replaceJson(payload, from, to) ?? payload);
  return changed.upToTerminal.some((payload, at) => payload !== frames.upToTerminal[at])
    ? changed
    : undefined;
}

/** The text as JSON: as it is, or as a string, as hosts write the text of an input. */
const toJson = (text: string): string =>
  tryParseJson(text) === undefined ? JSON.stringify(text) : text;

interface WrongInput {
  readonly calls: Calls;
  /** In place of the input of the first call. */
  readonly text: string;
}

/** What stands for an empty input, if inputs are JSON. */
const emptyAsJson: ReadonlySet<string> = new Set(["null", '"{}"']);

/** Each way of writing in which the first input is another text, as text or as JSON. */
export async function* checkWrongInput(
  harness: Harness,
  at: string,
  { calls, text }: WrongInput,
  wanted: Parameters<typeof checkReplies>[3],
): AsyncGenerator<Check> {
  const asText = withInputText(harness, calls, text);
  if (asText !== undefined) yield* checkReplies(harness, at, asText, wanted);
  const asJson = emptyAsJson.has(text) ? undefined : withInputJson(harness, calls, toJson(text));
  if (asJson !== undefined)
    yield* checkReplies(harness, `${at}, as JSON`, asJson, {
      expected: (turn) =>
        turn.calls.length === 0 && !isFinished(turn)
          ? outline(turn)
          : "malformed-tool-call, runs nothing",
    });
  yield* lackOfWays(harness);
}

/** Each text, as the complete input of a closed call, must be withheld for its reason. */
export async function* checkInputsNeverRun(
  harness: Harness,
  call: ReplyCall,
  texts: Readonly<Record<string, WithheldReason>>,
): AsyncGenerator<Check> {
  for (const [text, reason] of Object.entries(texts))
    yield* checkWrongInput(
      harness,
      `${call.name} with the input ${text}`,
      { calls: [call], text },
      {
        expected: `malformed-tool-call, runs nothing: ${reason}`,
        describe: (turn) => `${outline(turn)}: ${turn.withheld.map((one) => one.reason).join()}`,
      },
    );
}

export const sameReason = (
  reason: WithheldReason,
  texts: readonly string[],
): Readonly<Record<string, WithheldReason>> =>
  Object.fromEntries(texts.map((text) => [text, reason]));

/** Why no input can be replaced by a wrong one, as text or as JSON. */
export const whyNoWrongInput = (harness: Harness): string | undefined =>
  withInputJson(harness, [{ name: "read", id: "call_1", input: { path: "a" } }], "[]") === undefined
    ? whyNoInputText(harness)
    : undefined;

export const whyNoInputText = (harness: Harness): string | undefined =>
  withInputText(harness, [{ name: "read", id: "call_1", input: { path: "a" } }], "{}") === undefined
    ? "the wire sends inputs as JSON, not as text"
    : undefined;
