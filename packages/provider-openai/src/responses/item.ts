import type { Emit, TurnEvent } from "@fullstop/core/adapter";
import type OpenAI from "openai";

export type Item = OpenAI.Responses.ResponseOutputItem;
export type ItemOf<Type extends Item["type"]> = Extract<Item, { readonly type: Type }>;
export type Call = ItemOf<"function_call"> | ItemOf<"custom_tool_call">;

const textIn = (item: Item, field: "call_id" | "id" | "name"): string | undefined => {
  const value = (item as unknown as Readonly<Record<string, unknown>>)[field];
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
};
export const callId = (item: Item): string | undefined => textIn(item, "call_id");

/** What tells an item from others, as far as it says so. */
export interface Identity {
  readonly type: Item["type"];
  readonly call: string | undefined;
  readonly id: string | undefined;
  /** The name of the tool that it calls. */
  readonly tool: string | undefined;
}
export const identityOf = (item: Item): Identity => ({
  type: item.type,
  call: callId(item),
  id: textIn(item, "id"),
  tool: textIn(item, "name"),
});

const statusOf = (item: Item): unknown => ("status" in item ? item.status : undefined);
/** Half an item would be refused when it is sent back, and half an input must not run. An item without a status is whole. */
export const isCompleted = (item: Item): boolean => {
  const status = statusOf(item);
  return status === undefined || status === null || status === "completed";
};
/**
 * Does the item say of its input that it is whole? A call that a program of the server made stays "in_progress", there and in the
 * response that is completed: its program waits for the result. Of its statuses, only "incomplete" is evidence of a cut.
 */
export const isClosed = (item: Item): boolean =>
  isCompleted(item) || (isFromProgram(item) && statusOf(item) !== "incomplete");
const isFromProgram = (item: Item): boolean => "caller" in item && item.caller?.type === "program";

/** Reads one output item while it arrives. */
export interface ItemReader {
  begin?(item: Item): void;
  /** `part`: which of its texts, where the event says it. */
  delta(text: string, part: number | undefined): void;
  /** The whole text of an input, before its item is done. */
  text?(whole: string, name: string | undefined): void;
  /** Is this the text of the input? */
  says?(whole: string): boolean;
  /** The item, whole. */
  end(item: Item): void;
  /** The item once more, mostly in the response that is whole. */
  again?(item: Item): void;
  /** The response is whole, and no event said that this item is. */
  settle?(): void;
}

/** What readers of one reply share. */
export interface Telling {
  /** One item's content, told in its name. */
  say(teller: object, event: TurnEvent): void;
  /** A seal belongs to the block that came last: was it this item's? */
  spokeLast(teller: object): boolean;
  refuse(): void;
  /** A tool of the provider's own has begun. */
  work(): void;
  /** The item waits for somebody to answer it. */
  wait(id: string, type: string): void;
  answer(id: string): void;
  /** The reply says two things of one item. Counts when the reply says that it is finished. */
  contradict(what: string): void;
}

/** What is known of a reply when its last item is read. */
export interface Told {
  refused(): boolean;
  /** The type of an item that the reply leaves unanswered. */
  waiting(): string | undefined;
  contradiction(): string | undefined;
}

export function createTelling(emit: Emit): Telling & Told {
  const open = new Map<string, string>();
  let last: object | undefined;
  let refused = false;
  let contradiction: string | undefined;
  return {
    say(teller, event) {
      last = teller;
      emit(event);
    },
    spokeLast: (teller) => last === teller,
    refuse: () => {
      refused = true;
    },
    work: () => emit({ type: "side-effects" }),
    wait: (id, type) => open.set(id, type),
    answer: (id) => open.delete(id),
    contradict: (what) => {
      contradiction ??= what;
    },
    refused: () => refused,
    waiting: () => [...open.values()].find((type) => type !== "program"),
    contradiction: () => contradiction,
  };
}
