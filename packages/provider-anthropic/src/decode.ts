import type Anthropic from "@anthropic-ai/sdk";
import type { Decoder, Emit } from "@fullstop/core/adapter";
import { type Blocks, createBlocks } from "./blocks.ts";
import { mergeUsage, type NativeUsage, readUsage } from "./usage.ts";

/** The SDK's events, the two that its own stream hides, and the whole message of a request without `stream`. */
export type AnthropicEvent =
  | Anthropic.RawMessageStreamEvent
  | Anthropic.Message
  | Anthropic.ErrorResponse
  | { readonly type: "ping" };

/** How a host departs from the protocol. */
export interface Habits {
  /** `"optional"`: it never sends `message_stop`, and the `message_delta` with the stop reason ends a reply. */
  readonly messageStop: "required" | "optional";
  /** `"loose"`: it numbers content blocks with gaps, or ends blocks that never began. */
  readonly blocks: "strict" | "loose";
}

type Ending = Pick<
  Anthropic.Message,
  "stop_reason" | "stop_sequence" | "stop_details" | "container"
>;

/**
 * Reads one reply. Throws where an event contradicts what came before.
 *
 * | question | answer |
 * | --- | --- |
 * | What identifies a call? | The index of its `tool_use` block. |
 * | What closes a call? | `content_block_stop` with that index. A second one changes nothing. |
 * | What ends the reply? | `message_stop` after a `message_delta` with a stop reason. |
 * | Which stop reason counts? | `stop_reason`, and also `stop_sequence` if it is not null: no call runs then. |
 * | Which contradictions are found at once? | A second `message_start` that differs or follows content; a block that begins twice; a delta to a block that is not open; two inputs for one call. |
 * | Which are found at the end, if the reply has calls? | A gap in the indices; the end of a block that never began; a block of the server's that never ended. |
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
      if (first !== undefined && (blocks.begun() || !isRepetition(first, message)))
        throw new Error("The reply starts a second time.");
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

/** Some gateways send a start of their own before that of the reply, with the same id. */
const isRepetition = ({ id, model }: Anthropic.Message, again: Anthropic.Message): boolean =>
  typeof id === "string" && id !== "" && id === again.id && model === again.model;

/**
 * If a stop sequence cuts the input of a tool, llama.cpp sends `tool_use` and names the sequence.
 * Then `tool_use` does not count, because its call is not whole. Any other stop reason counts too, because it may be worse.
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
  const { type, message } = (
    typeof error === "object" && error !== null ? error : { message: error }
  ) as {
    type?: unknown;
    message?: unknown;
  };
  emit({
    type: "error",
    native: typeof type === "string" ? type : "error",
    message: typeof message === "string" ? message : JSON.stringify(error),
  });
}
