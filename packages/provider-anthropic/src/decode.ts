import type Anthropic from "@anthropic-ai/sdk";
import type { Emit } from "@fullstop/core";
import { type Blocks, createBlocks } from "./blocks.ts";
import { mergeUsage, type NativeUsage, readUsage } from "./usage.ts";

/** The SDK's events, the two that its own stream hides, and the whole message of a request without `stream`. */
export type AnthropicEvent = Anthropic.RawMessageStreamEvent | Anthropic.Message | Anthropic.ErrorResponse | { readonly type: "ping" };

/** Which event ends a reply: `message_stop`, or on hosts that send none, the `message_delta` with the word. */
export type LastEvent = "message_stop" | "message_delta";

type Ending = Pick<Anthropic.Message, "stop_reason" | "stop_sequence" | "stop_details" | "container">;

/** Reads one reply. Throws where an event contradicts what came before. */
export function createDecoder(emit: Emit, last: LastEvent): (event: AnthropicEvent) => void {
  const blocks = createBlocks(emit);
  const { begin, count, end, finish } = createFrame(emit, blocks);
  const whole = (message: Anthropic.Message): void => {
    begin(message);
    for (const [index, block] of message.content.entries()) {
      blocks.start(index, block);
      blocks.stop(index);
    }
    count(message.usage);
    end(message, false);
  };

  return (event) => {
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
        return end(event.delta, last === "message_stop" ? true : undefined);
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
}

interface Frame {
  begin(message: Anthropic.Message): void;
  count(usage: NativeUsage | null | undefined): void;
  end(ending: Ending, provisional: boolean | undefined): void;
  finish(): void;
}

/** What a reply says around its content: who it is, what it used, why it ended. */
function createFrame(emit: Emit, blocks: Blocks): Frame {
  let started = false;
  let usage: NativeUsage = {};
  let word: { readonly native: string; readonly detail?: unknown } | undefined;
  return {
    begin({ id, model, usage: first }) {
      if (started) throw new Error("The reply starts a second time.");
      started = true;
      emit({ type: "meta", id, model });
      usage = mergeUsage(usage, first);
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
    end({ stop_reason, stop_sequence, stop_details, container }, provisional) {
      if (container?.id) emit({ type: "meta", resume: container.id });
      if (typeof stop_reason !== "string") return;
      const detail = stop_details ?? stop_sequence ?? undefined;
      word = { native: stop_reason, ...(detail !== undefined && { detail }) };
      emit({ type: "stop", ...word, provisional });
    },
    finish() {
      if (word !== undefined) emit({ type: "stop", ...word, provisional: false });
    },
  };
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
