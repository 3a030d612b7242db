import type { Preview, ToolCall, Turn } from "@fullstop/core";
import { withoutLeakedCall } from "@fullstop/core/adapter";
import type { Outcome, RunEvent } from "@fullstop/loop";
import { publicSummary } from "../error-text.ts";
import type { FinishReason } from "./chunk.ts";
import { createMessageParts, type MessageParts, type WriterOptions } from "./message-parts.ts";
import { createReplyPreview, type ReplyPreview, type TextPreview } from "./reply-preview.ts";

type Writers = {
  readonly [Type in RunEvent["type"]]?: (event: Extract<RunEvent, { readonly type: Type }>) => void;
};

export function createChunkWriter(options: WriterOptions): (event: RunEvent) => void {
  const { emit } = options;
  const parts = createMessageParts(options);
  const writeTurn = createTurnWriter(options, parts);
  const writeNested = createNestedWriter(options, parts);
  const showPreview = options.showsPreviews ? writeTurn.preview : (): void => {};
  const writers: Writers = {
    request: () => parts.steps.open(),
    text: showPreview,
    thinking: showPreview,
    "tool-input-start": showPreview,
    "tool-input-delta": showPreview,
    turn: ({ turn, kept, replayed }) => {
      // The page shows what the journal has: the run waited after it.
      if (replayed && options.continued.callIds.size > 0) return;
      if (kept) writeTurn.keep(turn);
      else writeTurn.discard(turn);
    },
    "tool-progress": ({ call: { id }, progress }) =>
      emit({ type: "tool-output-available", toolCallId: id, output: progress, preliminary: true }),
    "tool-result": ({ call, result }) => parts.addResult(call.id, call, result),
    end: ({ outcome }) => writeEnd(outcome, options, parts),
  };
  return (event) => {
    if (event.path.length > 0) return writeNested(event);
    const write = writers[event.type] as ((event: RunEvent) => void) | undefined;
    write?.(event);
  };
}

function createTurnWriter({ emit, showsReasoning }: WriterOptions, parts: MessageParts) {
  const begin = (): ReplyPreview =>
    createReplyPreview({ emit, showsReasoning, nextId: parts.nextId, takenIds: parts.callIds });
  let shown = begin();
  const reset = (): void => {
    if (shown.hasParts()) emit({ type: "reset-step" });
    shown = begin();
  };
  return {
    preview: (preview: Preview): void => shown.add(preview),
    /** The reply counts. The page then shows exactly the turn. */
    keep: (turn: Turn): void => {
      parts.steps.open();
      // A page sends its texts back, and a model that reads a call there writes the next one so.
      const sent = { ...turn, ...withoutLeakedCall(turn) };
      if (!shown.isOf(sent)) {
        reset();
        for (const text of textsOf(sent)) shown.add(text);
      }
      shown.closeText();
      parts.addTurn(turn);
      shown = begin();
    },
    /** The reply is requested again, and the page shows no part of it. */
    discard: (turn: Turn): void => {
      reset();
      parts.addVoidTurn(turn);
    },
  };
}

/** The texts of a turn, in their order if its message has all of them. */
function textsOf({ message, text }: Pick<Turn, "message" | "text">): readonly TextPreview[] {
  const texts = (message?.content ?? []).flatMap((block): readonly TextPreview[] =>
    block.type === "text" || block.type === "thinking" ? [block] : [],
  );
  const ofMessage = texts.filter(({ type }) => type === "text").map((block) => block.text);
  return ofMessage.join("") === text ? texts : [{ type: "text", text }];
}

/** A call of a sub-agent is shown only if the page was asked about it. */
function createNestedWriter(
  { emit, continued }: WriterOptions,
  parts: MessageParts,
): (event: RunEvent) => void {
  const keys = new WeakMap<ToolCall, string>();
  return (event) => {
    if (event.type === "tool-call") keys.set(event.call, event.key);
    else if (event.type === "tool-result") {
      const key = keys.get(event.call) ?? "";
      if (continued.callIds.has(key)) parts.addResult(key, event.call, event.result);
    } else if (event.type === "approval" && continued.deniedIds.has(event.call.id))
      emit({ type: "tool-output-denied", toolCallId: event.call.id });
  };
}

const finishReasons: Readonly<Record<Outcome["status"], FinishReason>> = {
  done: "stop",
  stopped: "stop",
  "invalid-output": "other",
  truncated: "length",
  refused: "content-filter",
  failed: "error",
  waiting: "tool-calls",
  stuck: "other",
  limit: "other",
  aborted: "other",
};

function writeEnd(outcome: Outcome, { emit, errors }: WriterOptions, parts: MessageParts): void {
  const { status } = outcome;
  const summary = publicSummary(outcome, errors);
  if (outcome.status === "waiting") for (const call of outcome.calls) parts.askAbout(call);
  // A page that sends the message again when all calls of its last step have results must not do so.
  else if (status !== "done" || parts.steps.hasTools()) {
    parts.steps.close();
    parts.steps.open();
    if (status !== "done")
      emit({ type: "data-ended", id: parts.nextId(), data: { status, summary } });
  }
  parts.steps.close();
  if (status === "failed") emit({ type: "error", errorText: summary });
  if (status === "aborted") emit({ type: "abort", reason: summary });
  emit({ type: "finish", finishReason: finishReasons[status] });
}
