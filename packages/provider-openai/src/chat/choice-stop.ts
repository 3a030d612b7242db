import type { Emit } from "@fullstop/core/adapter";
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

export function emitOtherReasons(choice: Choice, quirks: ReplyQuirks, emit: Emit): void {
  emitNativeFinishReason(choice, emit);
  emitMatchedStop(choice, quirks, emit);
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
