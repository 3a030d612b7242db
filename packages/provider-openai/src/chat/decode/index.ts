import type { Decoder, Emit, ErrorTable } from "@fullstop/core/adapter";
import type { ReplyQuirks } from "../quirks.ts";
import { createChoices } from "./choices.ts";
import { isMessage } from "./delta.ts";
import {
  type ChatBody,
  type ChatEvent,
  type Choice,
  doneMarker,
  type NativeUsage,
} from "./events.ts";
import { createReplyCheck } from "./one-reply.ts";
import { emitChatError, findError } from "./reply-error.ts";
import { readChatUsage } from "./usage.ts";

/** How the replies of a host are decoded. */
export interface ChatDecoderOptions {
  readonly quirks: ReplyQuirks;
  /** The kinds of error codes inside a reply. */
  readonly errors: ErrorTable;
}

/**
 * Decodes one reply: chunks, or a complete body.
 *
 * | question | answer |
 * |---|---|
 * | What identifies a reply? | Its id, if the host keeps one id for several chunks. Another id that begins something behind a call is a second reply (`one-reply.ts`) |
 * | What identifies a call? | Its index, or its id, or its place in a list. The same id, name and arguments twice are one call |
 * | Which call does a delta belong to? | The call with its `index`. Without an index: the call with its id. Without both: the call at its position in the list, or the last call |
 * | When does a delta start another call? | If it has another id and a name. Also after a complete object, if it has another name, or the same name and an object of its own |
 * | What is not a separate call? | An empty delta, a `function_call` next to `tool_calls`, and a repetition of the same arguments from the beginning |
 * | What closes a call? | Only the end of the reply, for all calls |
 * | What ends the reply? | `finish_reason`, until content follows. Content revokes it: then another one must come, and `[DONE]`. If choices are merged, only `[DONE]` or the end of a complete body |
 * | What makes the result worse? | Each further `finish_reason`, and `native_finish_reason` |
 * | What ends a reply without `finish_reason`? | The end of a complete body, and `[DONE]` only if the host is known to omit the reason; both only with a usage report after the last content |
 * | What contradicts the reply? | A second reply behind a call, a missing index between two calls, and a `function_call` that differs from all `tool_calls` (`consistency.ts`) |
 *
 * The decoder throws if a delta contradicts what came before.
 */
export function createChatDecoder(
  emit: Emit,
  { quirks, errors }: ChatDecoderOptions,
): Decoder<ChatEvent> {
  const choices = createChoices(emit, quirks);
  const assertOneReply = createReplyCheck(choices);
  let started = false;
  /** How much content had come when the last usage was reported. */
  let countedAt: number | undefined;
  const end = (whole: boolean): void =>
    choices.end({ counted: countedAt === choices.contentCount(), whole });
  const start = ({ id, model }: ChatBody): void => {
    started = true;
    emit({ type: "meta", id: id ?? undefined, model: model ?? undefined });
  };
  /** Returns whether the event is a complete reply. */
  const addChoices = (event: ChatBody, list: readonly Choice[]): boolean => {
    const isComplete = list.length > 0 && list.some(isMessage);
    if (isComplete && started)
      throw new Error("The reply sends a complete message after its deltas.");
    if (!started) start(event);
    for (const choice of list) choices.add(choice);
    return isComplete;
  };
  /** Some hosts count in every chunk: the count in a chunk with content does not come after it. */
  const addUsage = (native: NativeUsage, position: number): void => {
    const usage = readChatUsage(native, quirks.reasoningTokens, choices.hasReasoning());
    if ((usage.output ?? 0) > 0) countedAt = position;
    emit({ type: "usage", usage });
  };
  const addBody = (event: ChatBody): void => {
    assertOneReply(event);
    const before = choices.contentCount();
    const isComplete = event.choices ? addChoices(event, event.choices) : false;
    const native = findUsage(event);
    if (native) addUsage(native, isComplete ? choices.contentCount() : before);
    if (isComplete) end(true);
  };
  const decode = (event: ChatEvent): void => {
    if (event === doneMarker) return end(false);
    const error = findError(event);
    return error === undefined ? addBody(event) : emitChatError(emit, error, errors);
  };
  return Object.assign(decode, { settle: choices.assertConsistent });
}

/** Usage is at the top level, in `x_groq` (Groq), or in the choice (Kimi). */
function findUsage({ usage, x_groq: groq, choices }: ChatBody): NativeUsage | null | undefined {
  return usage ?? groq?.usage ?? choices?.[0]?.usage;
}
