import type { Usage } from "@fullstop/core";
import {
  type Decoder,
  type Emit,
  type ErrorTable,
  type Fields,
  fieldsOf,
} from "@fullstop/core/adapter";
import { nativeCode, nonBlank } from "../values.ts";
import { emitOtherWords, isFinishReason } from "./choice-stop.ts";
import { createChoices, type RequestedChoices } from "./choices.ts";
import { hasContent, isMessage } from "./delta.ts";
import {
  type ChatBody,
  type ChatEvent,
  type Choice,
  choiceIndex,
  doneMarker,
  type NativeUsage,
} from "./events.ts";
import type { CallIndex } from "./input.ts";
import type { ReplyQuirks } from "./quirks.ts";

interface ChatDecoderOptions {
  readonly quirks: ReplyQuirks;
  readonly requested: RequestedChoices;
  readonly errors: ErrorTable;
}

/**
 * Decodes one reply: chunks, or a complete body.
 *
 * | question | answer |
 * |---|---|
 * | What identifies a reply? | Its id, if the host keeps one id for several chunks. Another id that begins something behind a call is a second reply |
 * | What identifies a call? | Its index, or its id, or its place in a list. The same id, name and arguments twice are one call |
 * | Which call does a delta belong to? | The call with its `index`. Without an index, or if the index is not of the call with its id: the call with its id. Without both: the call at its position in the list, or the last call |
 * | When does a delta start another call? | If it has another id and a name. Also after a complete object, if it has another name, or the same name and an object of its own |
 * | What is not a separate call? | An empty delta, a `function_call` next to `tool_calls`, a repetition of the same arguments from the beginning, and a last chunk that repeats the whole `message` |
 * | What closes a call? | Only the end of the reply, for all calls |
 * | What ends the reply? | `finish_reason`, also with text or reasoning behind it. A call or a piece of one revokes it: then another one must come, and `[DONE]`. Behind a whole call that comes again, `[DONE]` is enough. If choices are merged, only `[DONE]` or the end of a complete body |
 * | What makes the result worse? | Each further `finish_reason`, `native_finish_reason`, and a worse word under the name of another protocol |
 * | What ends a reply without `finish_reason`? | The end of a complete body, and `[DONE]` only if the host is known to omit the reason; both only with a usage report after the last content |
 * | What contradicts the reply? | A second reply behind a call, content behind `[DONE]` if there are calls, a first `finish_reason` behind it, a missing index between two calls, and a `function_call` that differs from all `tool_calls` |
 *
 * The decoder throws if a delta contradicts what came before.
 */
export function createChatDecoder(
  emit: Emit,
  { quirks, errors, requested }: ChatDecoderOptions,
): Decoder<ChatEvent> {
  const choices = createChoices(emit, quirks, requested);
  const assertOneReply = createReplyCheck(choices);
  let started = false;
  let isDone = false;
  let hasEnded = false;
  /** How much content had come when the last usage was reported. */
  let countedAt: number | undefined;
  const end = (whole: boolean): void => {
    hasEnded = choices.end({ counted: countedAt === choices.contentCount(), whole }) || hasEnded;
  };
  const start = ({ id, model }: ChatBody): void => {
    started = true;
    emit({ type: "meta", id: id ?? undefined, model: model ?? undefined });
  };
  /** Returns whether the event is a complete reply. */
  const addChoices = (event: ChatBody, list: readonly Choice[]): boolean => {
    const isComplete = list.length > 0 && list.some(isMessage);
    if (isComplete && started) {
      for (const choice of list) choices.addEndOf(choice);
      return false;
    }
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
  /** A `finish_reason` without content may be all that is left of a second reply. */
  const assertNothingFollows = ({ choices: list = [] }: ChatBody, hasContent: boolean): void => {
    const ends = !hasEnded && list?.some(({ finish_reason: reason }) => isFinishReason(reason));
    if (choices.hasCalls() && (hasContent || ends))
      throw new Error("A second reply begins behind `[DONE]`.");
  };
  const addBody = (event: ChatBody): void => {
    assertOneReply(event);
    const before = choices.contentCount();
    const isComplete = event.choices ? addChoices(event, event.choices) : false;
    emitOtherWords(event, [], emit);
    if (isDone) assertNothingFollows(event, choices.contentCount() > before);
    const native = findUsage(event);
    if (native) addUsage(native, isComplete ? choices.contentCount() : before);
    if (isComplete) end(true);
  };
  const decode = (event: ChatEvent): void => {
    if (event === doneMarker) {
      isDone = true;
      return end(false);
    }
    const error = findError(event);
    return error === undefined ? addBody(event) : emitChatError(emit, error, errors);
  };
  return Object.assign(decode, { settle: choices.assertConsistent });
}

/** Usage is at the top level, in `x_groq` (Groq), or in the choice (Kimi). */
function findUsage({ usage, x_groq: groq, choices }: ChatBody): NativeUsage | null | undefined {
  return usage ?? groq?.usage ?? choices?.[0]?.usage;
}

interface BegunReply {
  hasCalls(): boolean;
  isIndexOfOther(index: CallIndex, id: string): boolean;
}

/**
 * Finds a second reply in the same body. A router may ask another model in the middle of a stream
 * and append its reply (BerriAI/litellm#36267): then the calls before it are of a reply that was
 * cut. Some hosts give every chunk an id of its own (BerriAI/litellm#1571), so another id counts only
 * behind one that stayed for two chunks, and only if the chunk begins something: it has a role again,
 * or another call under an index that is in use. A gateway's own last chunk has a role and the
 * `finish_reason`: without content it begins nothing.
 * @returns A function that throws if this chunk begins a second reply behind a call.
 */
function createReplyCheck(reply: BegunReply): (chunk: ChatBody) => void {
  let last: string | undefined;
  let stayed = false;
  /** The id of the reply with the first call, if it stayed for two chunks. */
  let own: string | undefined;
  let hadRole = false;
  const begins = (choice: Choice): boolean =>
    (opens(choice) && !hadRole) ||
    (choice.delta?.tool_calls ?? []).some((call) => {
      const callId = nonBlank(call?.id);
      return callId !== undefined && reply.isIndexOfOther(call?.index ?? "", callId);
    });
  return ({ id: given, choices }) => {
    const id = nonBlank(given);
    const first = choices?.find((choice) => choiceIndex(choice) === 0);
    if (stayed && reply.hasCalls()) own ??= last;
    const isOther = own !== undefined && id !== undefined && id !== own;
    if (isOther && first !== undefined && begins(first))
      throw new Error(
        `A second reply (${id}) begins behind a call of the reply ${own}, which did not end.`,
      );
    if (id !== undefined) stayed = id === last;
    last = id ?? last;
    if (first !== undefined) hadRole = opens(first);
  };
}

/** A role opens a reply, except beside an end without content. */
const opens = ({ delta, finish_reason: reason }: Choice): boolean =>
  nonBlank(delta?.role) !== undefined && (!isFinishReason(reason) || hasContent(delta));

/**
 * `{ error }`, `{ base_resp }` with a status (MiniMax: milind-soni/OpenMausBot#1200),
 * `{ choices: [{ error }] }`, or the fields of an error at the top level.
 */
function findError(event: ChatBody): unknown {
  if (event.error) return event.error;
  const { status_code: code, status_msg } = fieldsOf(fieldsOf(event)["base_resp"]);
  if (code) return { code, message: status_msg };
  if (event.choices) {
    for (const { error } of event.choices) if (error) return error;
    return undefined;
  }
  const { type, object, message, detail } = event as Fields;
  const hasText = typeof message === "string" || typeof detail === "string";
  return hasText || type === "error" || object === "error" ? event : undefined;
}

function emitChatError(emit: Emit, error: unknown, errors: ErrorTable): void {
  const { message, detail, failed_generation: generation, ...rest } = fieldsOf(error);
  const { code, type, status, status_code, metadata } = rest;
  const codes = [fieldsOf(metadata)["error_type"], code, type, status, status_code];
  const text = [message, detail, error].find((one) => typeof one === "string" && one !== "");
  const sentence = typeof text === "string" ? text : JSON.stringify(error);
  const hasGeneration = typeof generation === "string" && generation !== "";
  emit({
    type: "error",
    native: nativeCode(codes, errors),
    message: hasGeneration ? `${sentence} The model wrote: ${generation}` : sentence,
  });
}

interface OutputTokens {
  readonly output: number;
  readonly reasoning: number | undefined;
  readonly hasReasoning: boolean;
}

/**
 * Reads the token counts of a reply. For OpenAI, `completion_tokens` and the cap include reasoning.
 * https://developers.openai.com/api/reference/resources/chat
 */
function readChatUsage(
  native: NativeUsage,
  reasoningTokens: ReplyQuirks["reasoningTokens"],
  hasReasoning: boolean,
): Partial<Usage> {
  const reasoning = count(native.completion_tokens_details?.reasoning_tokens);
  const input = count(native.prompt_tokens);
  const completion = count(native.completion_tokens);
  const output =
    completion === undefined || reasoningTokens !== "beside"
      ? completion
      : completion + (reasoning ?? 0);
  const cacheRead =
    count(native.prompt_tokens_details?.cached_tokens) ?? count(native.prompt_cache_hit_tokens);
  const cacheWrite = count(native.prompt_tokens_details?.cache_write_tokens);
  return {
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
    ...(output !== undefined &&
      towardCap[reasoningTokens ?? "unknown"]({ output, reasoning, hasReasoning })),
  };
}

const count = (tokens: unknown): number | undefined =>
  typeof tokens === "number" && tokens >= 0 ? tokens : undefined;

type ReasoningRule = NonNullable<ReplyQuirks["reasoningTokens"]> | "unknown";
/** How much of the output counts toward the cap, if not all of it does. `null`: not known. */
const towardCap: Readonly<Record<ReasoningRule, (tokens: OutputTokens) => Partial<Usage>>> = {
  counted: () => ({}),
  beside: unknownCap,
  uncapped: ({ output, reasoning, hasReasoning }) => {
    if (reasoning !== undefined && reasoning <= output) return { towardCap: output - reasoning };
    return hasReasoning || reasoning !== undefined ? { towardCap: null } : {};
  },
  unknown: unknownCap,
};

function unknownCap({ output, reasoning = 0 }: OutputTokens): Partial<Usage> {
  return reasoning > 0 && reasoning <= output ? { towardCap: null, reasoning } : {};
}
