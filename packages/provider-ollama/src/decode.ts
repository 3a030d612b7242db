import {
  type Decoder,
  type Emit,
  jsonText,
  refuseOtherNames,
  unfinishedWords,
} from "@fullstop/core/adapter";
import { emptyReplies, readOllamaError } from "./errors.ts";

/** A call of a reply. Only newer servers give an `id`. */
export interface OllamaCall {
  readonly id?: string | null;
  readonly function: {
    /** Its number in the reply. Only newer servers give it. */
    readonly index?: number | null;
    readonly name: string;
    /** An object. Some servers that imitate the API send its text. */
    readonly arguments?: object | string | null;
  };
}

/** A line of a stream, a reply in one piece, or an error instead of either. */
export interface OllamaEvent {
  readonly model?: string;
  readonly message?: {
    readonly content?: string | null;
    readonly thinking?: string | null;
    readonly tool_calls?: readonly OllamaCall[] | null;
  } | null;
  readonly done?: boolean;
  readonly done_reason?: string | null;
  readonly prompt_eval_count?: number;
  readonly eval_count?: number;
  readonly error?: string | { readonly message?: string } | null;
}

/** Marks a thinking block that the next request returns. */
export const thinkingData = { field: "thinking" } as const;

/**
 * Reads one reply.
 *
 * | question | answer |
 * | --- | --- |
 * | What identifies a reply? | Nothing: one body is one reply, and `done: true` is its last line. Content behind it is a second reply if there are calls. |
 * | What identifies a call? | Its position: the same call twice is two calls. Two indices with a gap between them show that a call was lost. |
 * | What closes a call? | The call itself. It comes whole, in any line, also in the last one. |
 * | What ends the reply? | `done: true`, with a `done_reason`. Without a reason the model's process ended early. A worse word under the name of another protocol counts more. |
 * | How does a reply fail? | With a line `{ "error": "…" }`; the status stays 200. |
 */
export function createDecoder(emit: Emit, model: string): Decoder<OllamaEvent> {
  const readMeta = createMeta(emit);
  const content = createContent(emit);
  const decode = (event: OllamaEvent): void => {
    if (event.error) return emitError(emit, event.error, model);
    readMeta(event);
    content.read(event);
    const { prompt_eval_count: input, eval_count: output } = event;
    if (input !== undefined || output !== undefined)
      emit({
        type: "usage",
        usage: { ...(input !== undefined && { input }), ...(output !== undefined && { output }) },
      });
    emitOtherWords(emit, event);
    if (event.done && event.done_reason) emitStop(emit, event.done_reason);
  };
  return Object.assign(decode, { settle: content.assertComplete });
}

/** What a gateway says under the name of another protocol can only make the result worse. */
function emitOtherWords(emit: Emit, event: OllamaEvent): void {
  const words = [...unfinishedWords(event, ["done_reason"]), ...unfinishedWords(event.message, [])];
  for (const native of words) emit({ type: "stop", native, provisional: true });
}

const hasContent = ({ message }: OllamaEvent): boolean =>
  Boolean(message?.content || message?.tool_calls?.length);

function emitStop(emit: Emit, native: string): void {
  const message = Object.hasOwn(emptyReplies, native) ? emptyReplies[native] : undefined;
  if (message !== undefined) emit({ type: "error", native, message });
  emit({ type: "stop", native, provisional: false });
}

function createMeta(emit: Emit): (event: OllamaEvent) => void {
  let isKnown = false;
  return ({ model }) => {
    if (isKnown || model === undefined) return;
    isKnown = true;
    emit({ type: "meta", model });
  };
}

/** It has no signature; the next request returns it. */
function createContent(emit: Emit) {
  const readText = createTextReader(emit);
  const indices = new Set<number>();
  let calls = 0;
  let isDone = false;
  const readCall = (call: OllamaCall): void => {
    const { index } = call.function;
    if (typeof index === "number") indices.add(index);
    emitCall(emit, calls++, call);
  };
  return {
    /** Throws if a second reply begins, and one of both has calls. */
    read(event: OllamaEvent): void {
      readText(event);
      refuseOtherNames("tool call", event);
      refuseOtherNames("tool call", event.message, ["tool_calls"]);
      for (const call of event.message?.tool_calls ?? []) readCall(call);
      if (isDone && calls > 0 && hasContent(event))
        throw new Error("A second reply begins behind the end of this one.");
      isDone ||= Boolean(event.done && event.done_reason);
    },
    assertComplete: (): void => assertNoGap(indices),
  };
}

function createTextReader(emit: Emit): (event: OllamaEvent) => void {
  let isThinking = false;
  const endThinking = (): void => {
    if (isThinking) emit({ type: "provider-data", data: thinkingData });
    isThinking = false;
  };
  return ({ message, done }) => {
    const { thinking, content, tool_calls: toolCalls } = message ?? {};
    if (thinking) {
      emit({ type: "thinking", text: thinking });
      isThinking = true;
    }
    if (content || toolCalls?.length || done) endThinking();
    if (content) emit({ type: "text", text: content });
  };
}

/** Some servers give all calls of a reply one index (ollama/ollama#15457). */
function assertNoGap(indices: ReadonlySet<number>): void {
  const sorted = [...indices].toSorted((a, b) => a - b);
  for (const [position, index] of sorted.entries()) {
    const before = sorted[position - 1] ?? index;
    if (index - before > 1)
      throw new Error(
        `The reply has calls with the indices ${before} and ${index}, and none between them: a call was lost.`,
      );
  }
}

function emitCall(emit: Emit, key: number, call: OllamaCall): void {
  const { name, arguments: input } = call.function;
  if (Object.keys(input ?? {}).length === 0) {
    refuseOtherNames("tool input", call);
    refuseOtherNames("tool input", call.function, ["arguments"]);
  }
  emit({ type: "tool-input-start", key, id: call.id ?? undefined, name });
  emit({ type: "tool-input-end", key, text: jsonText(input ?? {}) });
}

function emitError(emit: Emit, error: NonNullable<OllamaEvent["error"]>, model: string): void {
  const text = typeof error === "string" ? error : (error.message ?? JSON.stringify(error));
  const known = readOllamaError(text, model);
  emit({ type: "error", native: known?.code ?? "error", message: known?.message ?? text });
}
