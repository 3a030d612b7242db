import { type Fields, fieldsOf, parseJson } from "@fullstop/core/adapter";
import { type Edit, eventText, type GrantedCall, type ReplyFrame } from "../protocol.ts";
import {
  candidatesOf,
  hasFinishReason,
  holdsCall,
  indexOf,
  innerEvent,
  isEmptyPart,
  isFunctionCall,
  mainCandidate,
  partsOf,
  withEvent,
} from "./events.ts";

export function editGeminiStream(held: readonly ReplyFrame[], edit: Edit): string {
  const natives = held.map(({ native }) => native);
  return editList(natives, edit)
    .map((edited, index) => {
      const { raw = "", native } = held[index] ?? {};
      if (edited === native) return raw;
      return edited === undefined ? "" : eventText(edited);
    })
    .join("");
}

export function editGeminiBody(body: unknown, edit: Edit): unknown {
  if (Array.isArray(body)) return editList(body, edit).filter((native) => native !== undefined);
  const event = innerEvent(body);
  const edited = editCandidates(event, {
    edit,
    isPlace: true,
    others: losers([event]),
    emptyParts: [],
    endsLater: false,
  });
  return withEvent(body, edited);
}

/** What Gemini sends in an event without content. A chat of the SDK needs a part in each event. */
const emptyText: readonly Fields[] = [{ text: "" }];

/** The native events with their calls replaced. `undefined` in place of events that leave. */
function editList(natives: readonly unknown[], edit: Edit): readonly unknown[] {
  const events = natives.map(innerEvent);
  const place = placeOf(events);
  const others = losers(events);
  const laterKeys = new Set<string>();
  let endsLater = false;
  return natives
    .map((native, index) => ({ native, event: innerEvent(native), isPlace: index === place }))
    .reverse()
    .map(({ native, event, isPlace }) => {
      const context = { edit, isPlace, others, emptyParts: emptyText, endsLater };
      const edited = editCandidates(event, context);
      endsLater ||= hasFinishReason(mainCandidate(candidatesOf(event)) ?? {});
      const keys = [...Object.keys(fieldsOf(native)), ...Object.keys(event)];
      const isRepeated = keys.every((key) => laterKeys.has(key));
      for (const key of keys) laterKeys.add(key);
      if (edited === event) return native;
      return isRepeated && saysNothing(edited) ? undefined : withEvent(native, edited);
    })
    .reverse();
}

function placeOf(events: readonly Fields[]): number {
  const place = events.findLastIndex((event) => {
    const main = mainCandidate(candidatesOf(event));
    return main !== undefined && partsOf(main).some(isFunctionCall);
  });
  return place < 0 ? events.findLastIndex(holdsCall) : place;
}

const losers = (events: readonly Fields[]): ReadonlySet<unknown> =>
  new Set(
    events
      .flatMap(candidatesOf)
      .filter((candidate) => partsOf(candidate).some(isFunctionCall))
      .map(indexOf)
      .filter((index) => index !== 0),
  );

const bareKeys: ReadonlySet<string> = new Set(["content", "index"]);
const saysNothing = (event: Fields): boolean =>
  candidatesOf(event).every(
    (candidate) =>
      partsOf(candidate).every(isEmptyPart) &&
      Object.keys(candidate).every((key) => bareKeys.has(key)),
  );

interface EventEdit {
  readonly edit: Edit;
  readonly isPlace: boolean;
  /** The indices of other candidates that lose calls. */
  readonly others: ReadonlySet<unknown>;
  /** The parts of a candidate that has none left. */
  readonly emptyParts: readonly Fields[];
  /** A later event has a finish reason. If every event has one, none of them proves an end. */
  readonly endsLater: boolean;
}

/** Returns the event itself if nothing changes. */
function editCandidates(event: Fields, context: EventEdit): Fields {
  const { edit, isPlace, others, emptyParts, endsLater } = context;
  const candidates = candidatesOf(event);
  const main = mainCandidate(candidates);
  const added = isPlace ? newParts(edit) : [];
  const edited = candidates.map((candidate) => {
    const isMain = candidate === main;
    const replaced = withParts(candidate, isMain ? added : [], emptyParts);
    if (isMain) return endsLater ? withoutStop(replaced) : withFinishReason(replaced, edit.ending);
    const isCut = others.has(indexOf(candidate)) && candidate["finishReason"] === "STOP";
    return isCut ? withFinishReason(replaced, "length") : replaced;
  });
  if (main === undefined && added.length > 0)
    edited.unshift({ content: { parts: added, role: "model" }, index: 0 });
  const isSame =
    edited.length === candidates.length && edited.every((one, index) => one === candidates[index]);
  return isSame ? event : { ...event, candidates: edited };
}

/** Puts the new parts in place of the last call, and leaves empty parts out. */
function withParts(
  candidate: Fields,
  added: readonly Fields[],
  emptyParts: readonly Fields[],
): Fields {
  const parts = partsOf(candidate);
  const last = parts.findLastIndex(isFunctionCall);
  if (last < 0 && added.length === 0) return candidate;
  const before = last < 0 ? parts : parts.slice(0, last);
  const after = last < 0 ? [] : parts.slice(last + 1);
  const keeps = (part: Fields): boolean => !isFunctionCall(part) && !isEmptyPart(part);
  const kept = [...before.filter(keeps), ...added, ...after.filter(keeps)];
  const { parts: _, ...content } = fieldsOf(candidate["content"]);
  const left = kept.length > 0 ? kept : emptyParts;
  return { ...candidate, content: left.length > 0 ? { parts: left, ...content } : content };
}

const finishReasons: Readonly<Record<Exclude<Edit["ending"], "keep">, string>> = {
  calls: "STOP",
  length: "MAX_TOKENS",
};
/** `finishMessage` belongs to the finish reason that is replaced. No finished one is kept. */
function withFinishReason(candidate: Fields, ending: Edit["ending"]): Fields {
  const { finishReason: reason, finishMessage: _, ...rest } = candidate;
  if (!hasFinishReason(candidate) || (ending === "keep" && reason !== "STOP")) return candidate;
  const ends = finishReasons[ending === "keep" ? "length" : ending];
  return reason === ends ? candidate : { ...rest, finishReason: ends };
}

function withoutStop(candidate: Fields): Fields {
  const { finishReason, finishMessage: _, ...rest } = candidate;
  return finishReason === "STOP" ? rest : candidate;
}

const newParts = ({ calls, note }: Edit): readonly Fields[] => [
  ...(note === undefined ? [] : [{ text: note }]),
  ...calls.map(callPart),
];
const callPart = ({ id, name, inputText, providerData }: GrantedCall): Fields => ({
  functionCall: { id, name, args: parseJson(inputText || "{}") },
  ...(typeof providerData === "string" && { thoughtSignature: providerData }),
});
