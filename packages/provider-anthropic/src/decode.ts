import type Anthropic from "@anthropic-ai/sdk";
import type { Usage } from "@fullstop/core";
import {
  type Decoder,
  type Emit,
  fieldsOf,
  type ParseEvent,
  parseErrorEvents,
  parseEvent,
  readIndex,
  refuseOtherNames,
  unfinishedWords,
} from "@fullstop/core/adapter";
import { type Blocks, createBlocks } from "./blocks.ts";
import { holdsInput } from "./deltas.ts";
import type { HostReplies } from "./dialects.ts";
import { errors } from "./errors.ts";

/** The SDK's events, errors, and the message of a reply in one piece. */
export type AnthropicEvent =
  | Anthropic.RawMessageStreamEvent
  | Anthropic.Message
  | Anthropic.ErrorResponse;

/** Parses the data of one event. The SDK stops at an event that is named `error`. */
export const parseAnthropic: ParseEvent<AnthropicEvent> =
  /* @__PURE__ */ parseErrorEvents<AnthropicEvent>(parseEvent, (event, data) =>
    event?.type === "error"
      ? event
      : { type: "error", error: { type: "api_error", message: data }, request_id: null },
  );

/** How a host follows the protocol. */
export type HostRules = { readonly [Rule in "messageStop" | "blocks"]: Given<Rule> } & {
  readonly unsignedThinking: boolean;
};
type Given<Rule extends keyof HostReplies> = NonNullable<HostReplies[Rule]>;

/**
 * Reads one reply. Throws if an event contradicts an earlier one.
 *
 * | question | answer |
 * | --- | --- |
 * | What identifies a reply? | Its `message_start`: a second one is of another reply if its id differs, or if content came before it. |
 * | What identifies a call? | The index of its `tool_use` block. |
 * | What closes a call? | `content_block_stop` with that index. A second one changes nothing. |
 * | What ends the reply? | `message_stop` after a `message_delta` with a stop reason. |
 * | Which stop reason counts? | `stop_reason`, and also `stop_sequence` if it is not null: no call runs then. A worse word under the name of another protocol counts more. |
 * | Which contradictions are found at once? | A second `message_start` that differs or follows content; a block that starts twice; a delta to a block that is not open; two inputs for one call. |
 * | Which are found at the end, if the reply has calls? | A gap in the indices; the end of a block that never started; a server block that never ended. |
 */
export function createDecoder(emit: Emit, rules: HostRules): Decoder<AnthropicEvent> {
  const blocks = createBlocks(emit, rules.unsignedThinking);
  const { start, count, stop, finish } = createEnvelope(emit, blocks);
  const provisional = rules.messageStop === "required" ? true : undefined;
  const decodeMessage = (message: Anthropic.Message): void => {
    start(message);
    refuseOtherNames("tool call", message);
    // Ollama 0.17.4 sends `null` for a reply without content.
    const content: Anthropic.Message["content"] | null = message.content;
    for (const [index, block] of (content ?? []).entries()) {
      blocks.start(index, block);
      blocks.stop(index);
    }
    count(message.usage);
    stop(message, false);
  };
  const decode = (event: AnthropicEvent): void => {
    switch (event.type) {
      case "content_block_delta":
        // Gateways write `null` for what is empty.
        if ((event.delta as unknown) === null) return;
        return blocks.delta(readIndex(event.index), event.delta);
      case "message_start":
        refuseCalls(event.message);
        return start(event.message);
      case "content_block_start":
        return blocks.start(readIndex(event.index), event.content_block);
      case "content_block_stop":
        return blocks.stop(readIndex(event.index));
      case "message_delta":
        count(event.usage);
        return stop(event.delta, provisional, unfinishedWords(event, []));
      case "message_stop":
        return finish();
      case "message":
        return decodeMessage(event);
      case "error":
        return emitError(emit, event.error);
    }
    decodeUnknown(emit, event);
  };
  const settle = (): void => blocks.assertComplete();
  return Object.assign(decode, rules.blocks === "strict" && { settle });
}

/** The parts of a message that say why it ended. */
type Ending = Pick<
  Anthropic.Message,
  "stop_reason" | "stop_sequence" | "stop_details" | "container"
>;
interface NativeStop {
  readonly native: string;
  readonly detail?: unknown;
}

function createEnvelope(emit: Emit, blocks: Blocks) {
  let first: Anthropic.Message | undefined;
  let usage: NativeUsage = {};
  let stops: readonly NativeStop[] = [];
  const emitStops = (provisional: boolean | undefined): void => {
    for (const stop of stops) emit({ type: "stop", ...stop, provisional });
  };
  return {
    start(message: Anthropic.Message): void {
      if (blocks.hasBlocks() || (first !== undefined && !isSameMessage(first, message)))
        throw new Error("The reply starts a second time.");
      if (first === undefined) emit({ type: "meta", id: message.id, model: message.model });
      first ??= message;
      usage = mergeUsage(usage, message.usage);
      emit({ type: "usage", usage: readUsage(usage) });
    },
    /** The output count of `message_start` is ignored: the reply is not written yet. */
    count(added: NativeUsage | null | undefined): void {
      usage = mergeUsage(usage, added);
      const output =
        typeof added?.output_tokens === "number" ? { output: added.output_tokens } : {};
      // Each sampling of the server's tool loop adds to the output, and each may use the whole cap.
      const towardCap = blocks.usedServerTools() ? { towardCap: null } : {};
      emit({ type: "usage", usage: { ...readUsage(usage), ...output, ...towardCap } });
    },
    /** `words`: what the event besides its message says about its end. */
    stop(ending: Ending, provisional: boolean | undefined, words: readonly string[] = []): void {
      if (ending.container?.id) emit({ type: "meta", resume: ending.container.id });
      const found = [...nativeStopsOf(ending), ...words.map((native) => ({ native }))];
      if (found.length === 0) return;
      stops = found;
      emitStops(provisional);
    },
    finish: (): void => emitStops(false),
  };
}

/** A client takes a call that stands here for a whole one. */
function refuseCalls({ content }: { readonly content?: unknown }): void {
  if (Array.isArray(content) && content.some((block) => block?.type === "tool_use"))
    throw new Error("The reply has a tool call in its message_start.");
}

/** Some gateways send a `message_start` of their own before the reply's, with the same id. */
const isSameMessage = ({ id, model }: Anthropic.Message, other: Anthropic.Message): boolean =>
  typeof id === "string" && id !== "" && id === other.id && model === other.model;

/** Also what a gateway says under the name of another protocol, if the reply is not finished. */
function nativeStopsOf(ending: Ending): readonly NativeStop[] {
  const { stop_reason, stop_sequence, stop_details } = ending;
  const words = unfinishedWords(ending, ["stop_reason"]).map((native) => ({ native }));
  return [...ownStopsOf({ stop_reason, stop_sequence, stop_details }), ...words];
}

type OwnEnding = Pick<Ending, "stop_reason" | "stop_sequence" | "stop_details">;
/**
 * If a stop sequence cuts the input of a tool, llama.cpp sends `tool_use` and names the sequence.
 * Then `tool_use` does not count, because its call is incomplete. Any other stop reason counts too,
 * because it may be worse.
 */
function ownStopsOf({
  stop_reason,
  stop_sequence,
  stop_details,
}: OwnEnding): readonly NativeStop[] {
  const detail = stop_details ?? stop_sequence ?? undefined;
  const rest = detail === undefined ? {} : { detail };
  const stops = typeof stop_reason === "string" ? [{ native: stop_reason, ...rest }] : [];
  if (typeof stop_sequence !== "string" || stop_sequence === "") return stops;
  const others = stops.filter(({ native }) => native !== "tool_use" && native !== "stop_sequence");
  return [...others, { native: "stop_sequence", detail: stop_sequence }];
}

/**
 * Ignores `ping` and new event types, as https://platform.claude.com/docs/en/api/versioning asks, but
 * not an error that a proxy sends without a type, and no piece of an input.
 */
function decodeUnknown(emit: Emit, event: never): void {
  const { error, delta } = event as { readonly error?: unknown; readonly delta?: unknown };
  if (error) emitError(emit, error);
  if (holdsInput(delta)) throw new Error("An event with a piece of an input has no known type.");
}

/** What the table lists of `details.error_code` and of OpenRouter's `error_type` says more. */
function emitError(emit: Emit, error: unknown): void {
  const { details, error_type, type, message }: Readonly<Record<string, unknown>> =
    typeof error === "object" && error !== null ? { ...error } : { message: error };
  const names = [fieldsOf(details)["error_code"], error_type, type].filter(
    (name) => typeof name === "string",
  );
  emit({
    type: "error",
    native: names.find((name) => Object.hasOwn(errors, name)) ?? names.at(-1) ?? "error",
    message: typeof message === "string" ? message : JSON.stringify(error),
  });
}

type NativeUsage = Partial<Anthropic.MessageDeltaUsage>;
type InputCount = "input_tokens" | "cache_read_input_tokens" | "cache_creation_input_tokens";

/** Keeps the highest of each count: some hosts repeat a count as 0 or `null` in a later event. */
function mergeUsage(before: NativeUsage, added: NativeUsage | null | undefined): NativeUsage {
  const highest = (key: InputCount): number | null => {
    const counts = [before[key], added?.[key]].filter((count) => typeof count === "number");
    return counts.length > 0 ? Math.max(...counts) : null;
  };
  return {
    input_tokens: highest("input_tokens"),
    cache_read_input_tokens: highest("cache_read_input_tokens"),
    cache_creation_input_tokens: highest("cache_creation_input_tokens"),
  };
}

/**
 * `input_tokens` excludes cached tokens; `Usage.input` includes them.
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching#tracking-cache-performance
 */
function readUsage({
  input_tokens: uncached,
  cache_read_input_tokens: cacheRead,
  cache_creation_input_tokens: cacheWrite,
}: NativeUsage): Partial<Usage> {
  return {
    ...(typeof uncached === "number" && {
      input: uncached + (cacheRead ?? 0) + (cacheWrite ?? 0),
    }),
    ...(typeof cacheRead === "number" && { cacheRead }),
    ...(typeof cacheWrite === "number" && { cacheWrite }),
  };
}
