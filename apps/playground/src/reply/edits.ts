import { editors } from "./editors.ts";
import type { Fields, Frame } from "./frames.ts";
import { framesOf, withValue } from "./frames.ts";
import type { ProtocolName } from "./protocols.ts";

/** What the reader of the page changes in a reply. */
export interface Edits {
  /** Another native stop reason. */
  readonly stop?: string | undefined;
  /** Another usage of output, in tokens. */
  readonly usage?: number | undefined;
  /** The first call is sent once more. */
  readonly repeat?: true | undefined;
  /** The protocol's own end is missing. */
  readonly dropEnd?: true | undefined;
  /** The same reply follows under other ids. */
  readonly second?: true | undefined;
}

/** The text of a reply with the changes. */
export function editReply(text: string, protocol: ProtocolName, edits: Edits): string {
  const isEdited = Object.values(edits).some((edit) => edit !== undefined);
  if (!isEdited) return text;
  const editor = editors[protocol];
  let frames = framesOf(text);
  const { stop, usage } = edits;
  if (stop !== undefined) frames = changeEach(frames, (event) => editor.setStop(event, stop));
  if (usage !== undefined) frames = changeEach(frames, (event) => editor.setUsage(event, usage));
  if (edits.repeat) frames = repeatCall(frames, editor.repeat);
  if (edits.dropEnd) frames = dropEnd(frames, editor.isEnd);
  if (edits.second) frames = [...frames, ...underOtherIds(frames, editor.idsOf)];
  return frames.map(({ raw }) => raw).join("");
}

/** Changes copies of the events. `false`: the event stays as it is. */
function changeEach(
  frames: readonly Frame[],
  change: (event: Fields) => boolean,
): readonly Frame[] {
  return frames.map((frame) => {
    if (frame.value === undefined) return frame;
    const copy = structuredClone(frame.value);
    return change(copy) ? withValue(frame, copy) : frame;
  });
}

function repeatCall(
  frames: readonly Frame[],
  repeat: (events: readonly Fields[]) => ReturnType<(typeof editors)["openai-chat"]["repeat"]>,
): readonly Frame[] {
  const events = frames.map(({ value = {} }) => structuredClone(value));
  const repeated = repeat(events);
  if (repeated === undefined) return frames;
  const { changed = [], added = [], after = -1 } = repeated;
  const copies = added.flatMap(({ of, event }) => {
    const frame = frames[of];
    return frame === undefined ? [] : [withValue(frame, event)];
  });
  const kept = frames.map((frame, index) => {
    const event = events[index];
    return changed.includes(index) && event !== undefined ? withValue(frame, event) : frame;
  });
  return kept.toSpliced(after + 1, 0, ...copies);
}

function dropEnd(frames: readonly Frame[], isEnd: (event: Fields) => boolean): readonly Frame[] {
  const at = frames.findIndex(({ value }) => value !== undefined && isEnd(value));
  return at <= 0 ? frames : frames.slice(0, at);
}

function underOtherIds(
  frames: readonly Frame[],
  idsOf: (event: Fields) => readonly unknown[],
): readonly Frame[] {
  const ids = new Set(
    frames
      .flatMap(({ value }) => (value === undefined ? [] : idsOf(value)))
      .filter((id) => typeof id === "string"),
  );
  const rename = (text: string): string =>
    [...ids].reduce((renamed, id) => renamed.replaceAll(`"${id}"`, `"${id}_second"`), text);
  return framesOf(frames.map(({ raw }) => rename(raw)).join(""));
}
