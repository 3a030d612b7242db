import { type Emit, type Fields, fieldsOf, refuseOtherNames } from "@fullstop/core/adapter";
import type { Choice, Delta, ToolDelta } from "./events.ts";
import type { Inputs } from "./inputs.ts";
import type { ReasoningField } from "./quirks.ts";

/** Whether a choice holds a complete message instead of a delta. */
export const isMessage = ({ message, delta }: Choice): boolean => Boolean(message) && !delta;

/** Whether a delta or a message holds a text, reasoning or a call. */
export const hasContent = (delta: Delta | null | undefined): boolean =>
  contentMembers.some((name) => {
    const value = delta?.[name];
    return Array.isArray(value) ? value.length > 0 : Boolean(value);
  });
const contentMembers = [
  "content",
  "refusal",
  "tool_calls",
  "function_call",
  "reasoning_content",
  "reasoning",
  "reasoning_text",
  "reasoning_details",
] as const;

interface ChoiceContent {
  readonly reasoning: Reasoning;
  readonly inputs: Inputs;
  refused: boolean;
}

/** @throws Error if the calls of a delta or a message are not a list. */
export function toolCallsIn(delta: Delta | null | undefined): readonly (ToolDelta | null)[] {
  const calls: object = delta?.tool_calls ?? [];
  if (Array.isArray(calls)) return calls;
  if (Object.keys(calls).length === 0) return [];
  throw new Error("The reply has a tool call that is not in a list.");
}

export function readDelta(target: ChoiceContent, choice: Choice, emit: Emit): void {
  const { reasoning, inputs } = target;
  const delta = choice.delta ?? choice.message;
  if (!delta) return assertNoCallElsewhere(choice, inputs);
  reasoning.add(delta);
  readContent(delta.content, reasoning, emit);
  if (delta.refusal) {
    target.refused = true;
    reasoning.close();
    emit({ type: "text", text: delta.refusal });
  }
  const calls = toolCallsIn(delta);
  if (calls.length > 0) {
    reasoning.close();
    inputs.add(calls, isMessage(choice));
  }
  if (delta.function_call) {
    reasoning.close();
    inputs.addFunctionCall(delta.function_call);
  }
  assertNoCallElsewhere(choice, inputs);
}

/** What stands beside a delta may repeat the calls of the deltas. */
function assertNoCallElsewhere(choice: Choice, { list, echo }: Inputs): void {
  const { delta, message, finish_reason: reason } = choice;
  // Most chunks are a piece of text. A reply in one chunk has its role or its end, too.
  const isPiece = Boolean(delta?.content) && !delta?.role && !reason && !message;
  if (list[0] || echo || isPiece) return;
  refuseOtherNames("tool call", choice);
  // Snowflake's own API has its calls there (langchain-ai/langchain-snowflake#41).
  const { content_list: parts } = fieldsOf(delta ?? message);
  if (Array.isArray(parts)) for (const part of parts) refuseOtherNames("tool call", part);
  refuseOtherNames("tool call", delta ?? message, ["tool_calls", "function_call"]);
  if (delta && (toolCallsIn(message)[0] || message?.function_call))
    throw new Error("The reply has a tool call only in a `message` beside a `delta`.");
}

/** Content is a text, or on some hosts a list of text and thinking parts. */
function readContent(content: unknown, reasoning: Reasoning, emit: Emit): void {
  if (content === undefined || content === null || content === "") return;
  // Workers AI sends a text that is a number as a number (decolua/9router#1645).
  if (typeof content === "string" || typeof content === "number") {
    reasoning.close();
    return emit({ type: "text", text: String(content) });
  }
  if (!Array.isArray(content)) throw new Error("The reply holds content that is not text.");
  for (const part of content as readonly Fields[]) {
    const { type, text, thinking } = part;
    if (type === "text" && typeof text === "string") readContent(text, reasoning, emit);
    else if (type === "thinking") reasoning.add({ reasoning: thinkingText(thinking) });
    // Gateways may forward the parts of other protocols.
    else refuseOtherNames("tool call", part);
  }
}

function thinkingText(thinking: unknown): string {
  if (typeof thinking === "string") return thinking;
  if (!Array.isArray(thinking)) return "";
  return thinking.map(({ text }) => (typeof text === "string" ? text : "")).join("");
}

/** Of reasoning that the host requires: the field for its text, or the details as they came. */
export type ReasoningData =
  | { readonly field: "reasoning_content" }
  | { readonly reasoning_details: readonly Fields[] };

export interface Reasoning {
  add(delta: Delta): void;
  /** Other content begins: the host may require the data of the reasoning so far. */
  close(): void;
  /** Returns the details that were not emitted, and forgets them. */
  takeDetails(): readonly Fields[];
}

export function createReasoning(emit: Emit, required: ReasoningField | undefined): Reasoning {
  let open = false;
  let details: Fields[] = [];
  const takeDetails = (): readonly Fields[] => {
    const taken = details;
    details = [];
    return taken;
  };
  return {
    add(delta) {
      if (required === "reasoning_details")
        for (const detail of objectsIn(delta.reasoning_details)) addDetail(details, detail);
      const text = reasoningText(delta);
      if (text === "") return;
      open = true;
      emit({ type: "thinking", text });
    },
    close() {
      if (details.length > 0) {
        if (!open) emit({ type: "thinking", text: "" });
        const data: ReasoningData = { reasoning_details: takeDetails() };
        emit({ type: "provider-data", data });
      } else if (open && required === "reasoning_content") {
        emit({ type: "provider-data", data: { field: required } satisfies ReasoningData });
      }
      open = false;
    },
    takeDetails,
  };
}

/** Hosts that send several of the fields send the same text in each. */
function reasoningText({
  reasoning_content,
  reasoning,
  reasoning_text,
  reasoning_details,
}: Delta): string {
  if (isNonEmptyText(reasoning_content)) return reasoning_content;
  if (isNonEmptyText(reasoning)) return reasoning;
  if (isNonEmptyText(reasoning_text)) return reasoning_text;
  if (!reasoning_details) return "";
  const texts = objectsIn(reasoning_details).map(({ text, summary }) => text ?? summary);
  return texts.filter((text) => typeof text === "string").join("");
}
const isNonEmptyText = (value: unknown): value is string =>
  typeof value === "string" && value !== "";

const objectsIn = (list: unknown): readonly Fields[] =>
  Array.isArray(list) ? list.filter((member) => typeof member === "object" && member !== null) : [];

/**
 * Merges a detail with the last one if both have the same index and type: texts are appended, other
 * fields are replaced. https://openrouter.ai/docs/use-cases/reasoning-tokens
 */
function addDetail(details: Fields[], detail: Fields): void {
  const last = details.at(-1);
  const isSame =
    last !== undefined &&
    detail["index"] !== undefined &&
    last["index"] === detail["index"] &&
    last["type"] === detail["type"];
  if (!isSame) {
    details.push(detail);
    return;
  }
  const present = Object.fromEntries(
    Object.entries(detail).filter(([, value]) => value !== null && value !== undefined),
  );
  const appended = Object.fromEntries(
    ["text", "summary", "data"].flatMap((key) => {
      const [before, more] = [last[key], present[key]];
      return typeof before === "string" && typeof more === "string" ? [[key, before + more]] : [];
    }),
  );
  details[details.length - 1] = { ...last, ...present, ...appended };
}
