import type { TurnEvent } from "../contract/event.ts";
import type { NativeBlock } from "../contract/message.ts";
import { plain } from "../json/json.ts";
import { createInputs, type Input, type Inputs, said } from "./inputs.ts";
import { addPiece, type Complaint, createPieces, joinPieces, type Pieces } from "./text-buffer.ts";

export interface Prose {
  readonly type: "text" | "thinking";
  readonly pieces: Pieces;
  providerData: unknown;
  sealed: boolean;
}
/** A block of a reply, while it arrives. */
export type Item = Prose | Input | NativeBlock;

/** The events that are content of a reply, not news about it. */
export type ContentEvent = Exclude<
  TurnEvent,
  { readonly type: "meta" | "side-effects" | "usage" | "stop" | "error" }
>;

/** Takes the content of a reply, in order. */
export interface Blocks {
  readonly items: readonly Item[];
  /** Is there anything in the event that a reply can be made of? */
  adds(event: ContentEvent): boolean;
  take(event: ContentEvent): Complaint | undefined;
}

export function createBlocks(): Blocks {
  const items: Item[] = [];
  const inputs = createInputs((input) => items.push(input));
  return {
    items,
    adds(event) {
      switch (event.type) {
        case "text":
        case "thinking":
        case "tool-input-delta":
          return event.text !== "";
        case "tool-input-start":
          return said(event.id) !== undefined || said(event.name) !== undefined;
        case "tool-input-end":
          return inputs.find(event.key)?.closed === false;
        case "provider-data":
        case "native":
          return true;
      }
    },
    take(event) {
      switch (event.type) {
        case "tool-input-delta":
          return inputs.piece(event.key, event.text);
        case "text":
        case "thinking":
          return addProse(items, event);
        case "tool-input-start":
          return inputs.start(event);
        case "tool-input-end":
          return inputs.end(event.key, event.text);
        case "provider-data":
          return addSeal(items, inputs, event);
        case "native":
          return addNative(items, event);
      }
    },
  };
}

type EventOf<Type extends ContentEvent["type"]> = Extract<ContentEvent, { readonly type: Type }>;

/** An empty thinking is one that the provider keeps to itself, and wants back; an empty text is nothing. */
function addProse(
  items: Item[],
  { type, text }: EventOf<"text" | "thinking">,
): Complaint | undefined {
  if (type === "text" && text === "") return undefined;
  const before = items.at(-1);
  if (before !== undefined && before.type === type && "sealed" in before && !before.sealed)
    return addPiece(before.pieces, text);
  const prose: Prose = { type, pieces: createPieces(), providerData: undefined, sealed: false };
  items.push(prose);
  return addPiece(prose.pieces, text);
}

function addSeal(
  items: Item[],
  inputs: Inputs,
  { data, key }: EventOf<"provider-data">,
): undefined {
  const block = key === undefined ? items.at(-1) : inputs.find(key);
  if (block === undefined || block.type === "native") return;
  if (key === undefined && block.type === "input" && block.providerData !== undefined) return;
  block.providerData = plain(data);
  if ("sealed" in block) block.sealed = true;
}

function addNative(items: Item[], { data, opens, closes }: EventOf<"native">): undefined {
  items.push({
    type: "native",
    data: plain(data),
    ...(opens !== undefined && { opens }),
    ...(closes !== undefined && { closes }),
  });
}

export const textOf = (items: readonly Item[]): string =>
  items.map((item) => (item.type === "text" ? joinPieces(item.pieces) : "")).join("");

/** Ids of server calls that this reply opened and did not close. */
export function openServerCalls(items: readonly Item[]): ReadonlySet<string> {
  const open = new Set<string>();
  for (const item of items) {
    if (item.type !== "native") continue;
    if (item.opens !== undefined) open.add(item.opens);
    if (item.closes !== undefined) open.delete(item.closes);
  }
  return open;
}
