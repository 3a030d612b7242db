import type { Emit, TurnEvent } from "@fullstop/core/adapter";
import { type ChoiceStop, choiceStop } from "./choice-stop.ts";
import { type Choice, doneMarker } from "./events.ts";
import type { ReplyQuirks } from "./quirks.ts";

export interface EndEvidence {
  readonly counted: boolean;
  /** The reply is a complete body, which was put together after generation. */
  readonly whole: boolean;
}

interface ChoiceEnd {
  readonly refused: boolean;
  hasFinished: boolean;
}

/** How far a reply has come. */
export interface Progress {
  nextKey: number;
  proseCount: number;
  text: string;
  hasReasoning: boolean;
  contentCount: number;
  /** A choice that is not read has a `finish_reason`, so the host does send them. */
  otherChoiceFinished: boolean;
  /** The name of the first call in a choice that is not read. */
  otherCall: string | undefined;
  /** A call, or a piece of one, came after a `finish_reason`. */
  continuedAfterStop: boolean;
  /** A call, or a piece of one, came after the last `finish_reason`. */
  isRevoked: boolean;
  /** Text or reasoning came after a `finish_reason`. */
  proseAfterStop: boolean;
  /** A whole call came again behind a `finish_reason`. */
  needsDone: boolean;
  finishedChoices: number;
  stop: ChoiceStop | undefined;
  /** Whether the last stop was emitted as the end of the reply, or as one that may not be it. */
  provisional: boolean | undefined;
}

export const createProgress = (): Progress => ({
  nextKey: 0,
  proseCount: 0,
  text: "",
  hasReasoning: false,
  contentCount: 0,
  otherChoiceFinished: false,
  otherCall: undefined,
  continuedAfterStop: false,
  isRevoked: false,
  proseAfterStop: false,
  needsDone: false,
  finishedChoices: 0,
  stop: undefined,
  provisional: undefined,
});

type Stop = Extract<TurnEvent, { type: "stop" }>;

/** A host that puts a reason on each chunk with text ends its reply with `[DONE]`. */
export function finishChoice(
  state: ChoiceEnd,
  choice: Choice,
  {
    progress,
    quirks,
    hasContent,
  }: { progress: Progress; quirks: ReplyQuirks; hasContent: boolean },
): Stop {
  if (!state.hasFinished) progress.finishedChoices++;
  state.hasFinished = true;
  progress.isRevoked = false;
  progress.stop = choiceStop(choice, state.refused);
  const isOnEachChunk = hasContent && progress.proseAfterStop;
  progress.provisional =
    quirks.mergesChoices || progress.continuedAfterStop || isOnEachChunk || undefined;
  return { type: "stop", ...progress.stop, provisional: progress.provisional };
}

/**
 * Text or reasoning behind a `finish_reason` does not revoke it: the calls before it are whole
 * (anomalyco/opencode#49167, #43040). The core takes each content for a revocation.
 */
export function repeatStop(
  { refused }: ChoiceEnd,
  { stop, isRevoked, needsDone, provisional }: Progress,
  emit: Emit,
): void {
  if (stop === undefined || isRevoked || needsDone) return;
  const detail = refused ? { detail: "refusal" } : {};
  emit({ type: "stop", ...stop, ...detail, provisional });
}

/**
 * The stop that the end of a reply reports, if it is one. A call after the last `finish_reason`
 * revokes it: gateways append `[DONE]` to streams that were cut. Hosts that send a reason before the
 * end send another one (1jehuang/jcode#1326, BerriAI/litellm#31634).
 */
export function finalStop(
  { stop, finishedChoices, isRevoked }: Progress,
  choices: ReadonlyMap<number | string, ChoiceEnd>,
  endsWithoutStop: boolean,
): Stop | undefined {
  const refused = [...choices.values()].some((state) => state.refused);
  const detail = refused ? { detail: "refusal" } : {};
  if (stop !== undefined && finishedChoices === choices.size && (refused || !isRevoked))
    return { type: "stop", ...stop, ...detail };
  return endsWithoutStop
    ? { type: "stop", native: doneMarker, implied: true, ...detail }
    : undefined;
}

/** Its host is known to omit it, or the body is complete; and usage came after the last content. */
export function endsWithoutReason(
  { stop, contentCount, otherChoiceFinished }: Progress,
  { doneEnds }: ReplyQuirks,
  evidence: EndEvidence,
): boolean {
  const isAllowed = doneEnds === true || (doneEnds === "body" && evidence.whole);
  if (!isAllowed || !evidence.counted || contentCount === 0) return false;
  return stop === undefined && !otherChoiceFinished;
}

export const trackProgress =
  (emit: Emit, progress: Progress): Emit =>
  (event) => {
    const isProse = event.type === "text" || event.type === "thinking";
    if (isProse) progress.proseCount++;
    if (event.type === "text") progress.text += event.text;
    progress.hasReasoning ||= event.type === "thinking";
    if (isContent(event)) {
      const isLate = progress.stop !== undefined;
      progress.contentCount++;
      progress.continuedAfterStop ||= isLate && isOfCall(event);
      progress.isRevoked ||= isLate && isOfCall(event);
      progress.proseAfterStop ||= isLate && isProse;
    }
    emit(event);
  };
const isOfCall = ({ type }: TurnEvent): boolean => type.startsWith("tool-input");
const isContent = (event: TurnEvent): boolean =>
  !("text" in event) || event.type === "tool-input-end" || event.text !== "";
