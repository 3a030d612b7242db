import { type Emit, stringifyJson } from "@fullstop/core/adapter";
import { emptyReplies, readOllamaError } from "./errors.ts";

/** A call of a reply. Only newer servers give an `id`. */
export interface OllamaCall {
  readonly id?: string | null;
  readonly function: {
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
 * | What identifies a call? | Its position: the same call twice is two calls. |
 * | What closes a call? | The call itself. It comes whole, in any line, also in the last one. |
 * | What ends the reply? | `done: true`, with a `done_reason`. Without a reason the model's process ended early. |
 * | How does a reply fail? | With a line `{ "error": "…" }`; the status stays 200. |
 */
export function createDecoder(emit: Emit, model: string): (event: OllamaEvent) => void {
  const readMeta = createMeta(emit);
  const content = createContent(emit);
  return (event) => {
    if (event.error) return emitError(emit, event.error, model);
    readMeta(event);
    content(event);
    const { prompt_eval_count: input, eval_count: output } = event;
    if (input !== undefined || output !== undefined)
      emit({
        type: "usage",
        usage: { ...(input !== undefined && { input }), ...(output !== undefined && { output }) },
      });
    if (event.done && event.done_reason) emitStop(emit, event.done_reason);
  };
}

function emitStop(emit: Emit, native: string): void {
  const message = Object.hasOwn(emptyReplies, native) ? emptyReplies[native] : undefined;
  if (message !== undefined) emit({ type: "error", native, message });
  emit({ type: "stop", native, provisional: false });
}

/** Every line repeats the model. */
function createMeta(emit: Emit): (event: OllamaEvent) => void {
  let isKnown = false;
  return ({ model }) => {
    if (isKnown || model === undefined) return;
    isKnown = true;
    emit({ type: "meta", model });
  };
}

/** Thinking ends when anything else comes. It has no signature; the next request returns it. */
function createContent(emit: Emit): (event: OllamaEvent) => void {
  let calls = 0;
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
    for (const call of toolCalls ?? []) emitCall(emit, calls++, call);
  };
}

function emitCall(emit: Emit, key: number, call: OllamaCall): void {
  const { name, arguments: input } = call.function;
  emit({ type: "tool-input-start", key, id: call.id ?? undefined, name });
  emit({
    type: "tool-input-end",
    key,
    text: typeof input === "string" ? input : stringifyJson(input ?? {}),
  });
}

function emitError(emit: Emit, error: NonNullable<OllamaEvent["error"]>, model: string): void {
  const text = typeof error === "string" ? error : (error.message ?? JSON.stringify(error));
  const known = readOllamaError(text, model);
  emit({ type: "error", native: known?.code ?? "error", message: known?.message ?? text });
}
