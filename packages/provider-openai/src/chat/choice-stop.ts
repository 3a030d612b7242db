import { type Emit, unfinishedWords } from "@fullstop/core/adapter";
import type { Choice } from "./events.ts";
import { nativeFinishReason } from "./native-finish-reason.ts";
import type { ReplyQuirks } from "./quirks.ts";

export interface ChoiceStop {
  readonly native: string;
  readonly detail?: unknown;
}

/** Hosts send `null`, `""` and `"null"` while it has not ended. @throws Error for other types. */
export function isFinishReason(reason: unknown): reason is string {
  if (reason === undefined || reason === null) return false;
  if (typeof reason !== "string") throw new Error("The reply's finish_reason is not a text.");
  return reason.trim() !== "" && reason !== "null";
}

/** OpenRouter also sends that of the upstream provider. It can only make the result worse. */
function emitNativeFinishReason(choice: Choice, emit: Emit): void {
  const detail = upstreamReason(choice);
  if (detail !== undefined)
    emit({ type: "stop", native: nativeFinishReason, detail, provisional: true });
}

/** A stop sequence may end a reply in the middle of a call, under any `finish_reason`. */
function emitMatchedStop(choice: Choice, { matchedStop }: ReplyQuirks, emit: Emit): void {
  const sequence = matchedStop && choice[matchedStop];
  if (matchedStop !== undefined && typeof sequence === "string" && sequence !== "")
    emit({ type: "stop", native: matchedStop, detail: sequence, provisional: true });
}

/** What a gateway says under the name of another protocol can only make the result worse. */
export function emitOtherWords(holder: unknown, own: readonly string[], emit: Emit): void {
  for (const native of unfinishedWords(holder, own))
    emit({ type: "stop", native, provisional: true });
}

const none: readonly string[] = [];
/** vLLM's `stop_reason` is a stop sequence. */
const ownNames: Readonly<Record<NonNullable<ReplyQuirks["matchedStop"]> | "", readonly string[]>> =
  {
    "": ["finish_reason"],
    stop_reason: ["finish_reason", "stop_reason"],
    matched_stop: ["finish_reason", "matched_stop"],
  };

export function emitOtherReasons(choice: Choice, quirks: ReplyQuirks, emit: Emit): void {
  emitNativeFinishReason(choice, emit);
  emitMatchedStop(choice, quirks, emit);
  emitOtherWords(choice, ownNames[quirks.matchedStop ?? ""], emit);
  emitOtherWords(choice.delta, none, emit);
  emitOtherWords(choice.message, none, emit);
}

/** Why a choice ended, with a refusal or the reason of the upstream provider as its detail. */
export function choiceStop(choice: Choice, refused: boolean): ChoiceStop {
  const detail = refused ? "refusal" : upstreamReason(choice);
  return { native: choice.finish_reason ?? "", ...(detail !== undefined && { detail }) };
}

function upstreamReason({
  finish_reason: reason,
  native_finish_reason: upstream,
}: Choice): string | undefined {
  return typeof upstream === "string" && upstream !== "" && upstream !== reason
    ? upstream
    : undefined;
}
