import type Anthropic from "@anthropic-ai/sdk";
import type { Decoder, Emit } from "@fullstop/core";
import { type Blocks, createBlocks } from "./blocks.ts";
import { mergeUsage, type NativeUsage, readUsage } from "./usage.ts";

/** The SDK's events, the two that its own stream hides, and the whole message of a request without `stream`. */
export type AnthropicEvent = Anthropic.RawMessageStreamEvent | Anthropic.Message | Anthropic.ErrorResponse | { readonly type: "ping" };

/** What a host of this protocol does otherwise. */
export interface Habits {
  /** `"optional"`: it never sends `message_stop`, so that the `message_delta` with the word ends a reply. */
  readonly messageStop: "required" | "optional";
  /** `"loose"`: it numbers content blocks with gaps, or ends blocks that never began. */
  readonly blocks: "strict" | "loose";
}

type Ending = Pick<Anthropic.Message, "stop_reason" | "stop_sequence" | "stop_details" | "container">;

/**
 * Reads one reply. Throws where an event contradicts what came before.
 *
 * | of the protocol | is |
 * | --- | --- |
 * | one call | a `tool_use` block, by its index |
 * | the end of a call | the `content_block_stop` of that index; one that comes twice is one |
 * | the end of the reply | `message_stop`, behind a `message_delta` with a word |
 * | the word that counts | `stop_reason`; a `stop_sequence` that is not null counts beside it, whatever it says |
 * | a contradiction, at once | a second `message_start` that differs or follows content, a block begun twice, a delta to no block, two inputs for one call |
 * | a contradiction, at the end, if there are calls | a gap in the indices, the end of a block that never began, a block of the server's that never ended |
 */
export function createDecoder(emit: Emit, habits: Habits): Decoder<AnthropicEvent> {
  const blocks = createBlocks(emit);
  const { begin, count, end, finish } = createFrame(emit, blocks);
  const provisional = habits.messageStop === "required" ? true : undefined;
  const whole = (message: Anthropic.Message): void => {
    begin(message);
    for (const [index, block] of message.content.entries()) {
      blocks.start(index, block);
      blocks.stop(index);
    }
    count(message.usage);
    end(message, false);
  };
  const decode = (event: AnthropicEvent): void => {
    switch (event.type) {
      case "content_block_delta":
        return blocks.delta(event.index, event.delta);
      case "message_start":
        return begin(event.message);
      case "content_block_start":
        return blocks.start(event.index, event.content_block);
      case "content_block_stop":
        return blocks.stop(event.index);
      case "message_delta":
        count(event.usage);
        return end(event.delta, provisional);
      case "message_stop":
        return finish();
      case "message":
        return whole(event);
      case "error":
        return fail(emit, event.error);
      case "ping":
        return;
    }
    unlisted(emit, event);
  };
  return Object.assign(decode, habits.blocks === "strict" && { settle: () => blocks.settle() });
}

interface Frame {
  begin(message: Anthropic.Message): void;
  count(usage: NativeUsage | null | undefined): void;
  end(ending: Ending, provisional: boolean | undefined): void;
  finish(): void;
}
interface Word {
  readonly native: string;
  readonly detail?: unknown;
}

/** What a reply says around its content: who it is, what it used, why it ended. */
function createFrame(emit: Emit, blocks: Blocks): Frame {
  let first: Anthropic.Message | undefined;
  let usage: NativeUsage = {};
  let words: readonly Word[] = [];
  const say = (provisional: boolean | undefined): void => {
    for (const word of words) emit({ type: "stop", ...word, provisional });
  };
  return {
    begin(message) {
      if (first !== undefined && (blocks.begun() || !isRepetition(first, message))) throw new Error("The reply starts a second time.");
      if (first === undefined) emit({ type: "meta", id: message.id, model: message.model });
      first ??= message;
      usage = mergeUsage(usage, message.usage);
      emit({ type: "usage", usage: readUsage(usage) });
    },
    /** Output is not taken from `message_start`, which counts a reply not yet written. */
    count(now) {
      usage = mergeUsage(usage, now);
      const output = typeof now?.output_tokens === "number" ? { output: now.output_tokens } : {};
      // Every sampling of the server's tool loop adds to the output, and each has the whole cap.
      const towardCap = blocks.usedServerTools() ? { towardCap: null } : {};
      emit({ type: "usage", usage: { ...readUsage(usage), ...output, ...towardCap } });
    },
    end(ending, provisional) {
      if (ending.container?.id) emit({ type: "meta", resume: ending.container.id });
      const said = wordsOf(ending);
      if (said.length === 0) return;
      words = said;
      say(provisional);
    },
    finish: () => say(false),
  };
}

/** Gateways that translate send their own start before that of the reply, with the same id. */
const isRepetition = ({ id, model }: Anthropic.Message, again: Anthropic.Message): boolean =>
  typeof id === "string" && id !== "" && id === again.id && model === again.model;

/**
 * llama.cpp says `tool_use` where a stop sequence cut the input of a tool, and names the sequence.
 * Beside it, `tool_use` is not asked for the call that it promises; every other word counts, for it may be worse.
 */
function wordsOf({ stop_reason, stop_sequence, stop_details }: Ending): readonly Word[] {
  const detail = stop_details ?? stop_sequence ?? undefined;
  const rest = detail === undefined ? {} : { detail };
  const words = typeof stop_reason === "string" ? [{ native: stop_reason, ...rest }] : [];
  if (typeof stop_sequence !== "string" || stop_sequence === "") return words;
  const others = words.filter(({ native }) => native !== "tool_use" && native !== "stop_sequence");
  return [...others, { native: "stop_sequence", detail: stop_sequence }];
}

/** New event types are to be ignored (https://platform.claude.com/docs/en/api/versioning); an error that a proxy sends without a type is not. */
function unlisted(emit: Emit, event: never): void {
  const { error } = event as { readonly error?: unknown };
  if (error) fail(emit, error);
}

function fail(emit: Emit, error: unknown): void {
  const { type, message } = (typeof error === "object" && error !== null ? error : { message: error }) as {
    type?: unknown;
    message?: unknown;
  };
  emit({
    type: "error",
    native: typeof type === "string" ? type : "error",
    message: typeof message === "string" ? message : JSON.stringify(error),
  });
}
