import type { Emit, TurnEvent } from "@fullstop/core";
import type OpenAI from "openai";

export type Item = OpenAI.Responses.ResponseOutputItem;
export type ItemOf<Type extends Item["type"]> = Extract<Item, { readonly type: Type }>;
export type Call = ItemOf<"function_call"> | ItemOf<"custom_tool_call">;

export const callId = (item: Item): string | undefined =>
  "call_id" in item && typeof item.call_id === "string" && item.call_id !== "" ? item.call_id : undefined;

/** Half an item would be refused when it is sent back, and half an input must not run. An item without a status is whole. */
export const isCompleted = (item: Item): boolean => {
  const status = "status" in item ? item.status : undefined;
  return status === undefined || status === null || status === "completed";
};

/** Reads one output item while it arrives. */
export interface ItemReader {
  begin?(item: Item): void;
  delta(text: string, part: number): void;
  /** The whole text of an input, before its item is done: no proof that the item is. */
  text?(whole: string): void;
  /** The item, whole. */
  end(item: Item): void;
  /** The item once more, in the response that is whole. */
  again?(item: Item): void;
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
}

export function createTelling(emit: Emit): Telling & { readonly refused: () => boolean; readonly waiting: () => string | undefined } {
  const open = new Map<string, string>();
  let last: object | undefined;
  let refused = false;
  return {
    say(teller, event) {
      last = teller;
      emit(event);
    },
    spokeLast: (teller) => last === teller,
    refuse: () => {
      refused = true;
    },
    work: () => emit({ type: "effects" }),
    wait: (id, type) => open.set(id, type),
    answer: (id) => open.delete(id),
    refused: () => refused,
    waiting: () => [...open.values()].find((type) => type !== "program"),
  };
}
