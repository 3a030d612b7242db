import { type Emit, fieldsOf, type TurnEvent } from "@fullstop/core/adapter";
import type OpenAI from "openai";
import { nonBlank } from "../values.ts";

export type Item = OpenAI.Responses.ResponseOutputItem;
export type ItemOf<Type extends Item["type"]> = Extract<Item, { readonly type: Type }>;
export type CallItem = ItemOf<"function_call"> | ItemOf<"custom_tool_call">;

const textField = (item: Item, field: "call_id" | "id" | "name"): string | undefined =>
  nonBlank(fieldsOf(item)[field]);

export const callIdOf = (item: Item): string | undefined => textField(item, "call_id");
export const itemIdOf = (item: Item): string | undefined => textField(item, "id");

export interface ItemIdentity {
  readonly type: Item["type"];
  readonly callId: string | undefined;
  readonly id: string | undefined;
  readonly tool: string | undefined;
}
export const identityOf = (item: Item): ItemIdentity => ({
  type: item.type,
  callId: callIdOf(item),
  id: itemIdOf(item),
  tool: textField(item, "name"),
});

/** The input of a call that comes as a text. */
export const inputMemberOf = (item: Item): unknown =>
  fieldsOf(item)[item.type === "function_call" ? "arguments" : "input"];

const statusOf = (item: Item): unknown => ("status" in item ? item.status : undefined);

/** Whether an item is complete. An item without a status, or with a blank one, is. */
export const isCompleted = (item: Item): boolean =>
  ["completed", ""].includes(String(statusOf(item) ?? ""));

/**
 * Whether the input of an item is complete. A call that a program of the server made stays
 * `in_progress`, also in the completed response: its program waits for the result. For such a call
 * only `incomplete` shows that it was cut.
 */
export const isInputComplete = (item: Item): boolean =>
  isCompleted(item) || (isFromProgram(item) && statusOf(item) !== "incomplete");
const isFromProgram = (item: Item): boolean => "caller" in item && item.caller?.type === "program";

/** A call apart from its ids. What is not known, or what an item leaves out, may be anything. */
export interface CallContent {
  readonly tool: string | undefined;
  readonly input: string | undefined;
}

const mayBe = (one: string | undefined, other: string | undefined): boolean =>
  one === undefined || other === undefined || one === other;

export function isSameCall({ content, contentOf }: ItemReader, item: Item): boolean {
  const [known, other] = [content?.(), contentOf?.(item)];
  if (known === undefined || other === undefined) return false;
  return mayBe(known.tool, other.tool) && mayBe(known.input, other.input);
}

export interface ItemReader {
  start?(item: Item): void;
  /** `part`: the index of the text in the item, if the event has one. */
  delta(text: string, part: number | undefined): void;
  /** A piece whose type is not known. Without it, the rest of an input may still be JSON. */
  unknownDelta?(): void;
  /** The complete text of an input, before its item is done. */
  inputDone?(text: string, name: string | undefined): void;
  /** Whether this is the text of the input. */
  hasInput?(text: string): boolean;
  done(item: Item): void;
  /** What this call is so far. Only calls that the client runs have it. */
  content?(): CallContent;
  /** What the call of another item of this type is. */
  contentOf?(item: Item): CallContent;
  /** The item again, usually in the final output. */
  repeat?(item: Item): void;
  /** The response is complete. The item may not be done. */
  settle?(): void;
}

export interface ReplyWriter {
  emit(reader: ItemReader, event: TurnEvent): void;
  /** Whether this reader emitted the last event. Provider data belongs to the last block. */
  emittedLast(reader: ItemReader): boolean;
  markRefused(): void;
  /** A tool of the provider has started. It may have side effects. */
  markSideEffects(): void;
  expectAnswer(id: string, type: string): void;
  addAnswer(id: string): void;
  /** The reply contradicts itself about one item. Counts if the reply claims to be complete. */
  addContradiction(what: string): void;
}

/** What is known when the last item of a reply was read. */
export interface ReplyFindings {
  isRefused(): boolean;
  unansweredType(): string | undefined;
  contradiction(): string | undefined;
}

export function createReplyWriter(emit: Emit): ReplyWriter & ReplyFindings {
  const unanswered = new Map<string, string>();
  let last: ItemReader | undefined;
  let refused = false;
  let contradiction: string | undefined;
  return {
    emit(reader, event) {
      last = reader;
      emit(event);
    },
    emittedLast: (reader) => last === reader,
    markRefused: () => {
      refused = true;
    },
    markSideEffects: () => emit({ type: "side-effects" }),
    expectAnswer: (id, type) => unanswered.set(id, type),
    addAnswer: (id) => unanswered.delete(id),
    addContradiction: (what) => {
      contradiction ??= what;
    },
    isRefused: () => refused,
    unansweredType: () => [...unanswered.values()].find((type) => type !== "program"),
    contradiction: () => contradiction,
  };
}
