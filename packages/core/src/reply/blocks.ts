import type { TurnEvent } from "../contract/event.ts";
import type { NativeBlock } from "../contract/message.ts";
import { toPlainJson } from "../json/json.ts";
import { createInputs, type Input, type Inputs, nonBlank } from "./inputs.ts";
import {
  appendText,
  bufferedText,
  createTextBuffer,
  type StreamError,
  type TextBuffer,
} from "./text-buffer.ts";

export interface TextItem {
  readonly type: "text" | "thinking";
  readonly buffer: TextBuffer;
  providerData: unknown;
  hasProviderData: boolean;
}
export type Item = TextItem | Input | NativeBlock;

export type ContentEvent = Exclude<
  TurnEvent,
  { readonly type: "meta" | "side-effects" | "usage" | "stop" | "error" }
>;

export interface Blocks {
  readonly items: readonly Item[];
  hasContent(event: ContentEvent): boolean;
  add(event: ContentEvent): StreamError | undefined;
}

export function createBlocks(maxTextLength: number): Blocks {
  const items: Item[] = [];
  const inputs = createInputs(maxTextLength, (input) => items.push(input));
  return {
    items,
    hasContent(event) {
      switch (event.type) {
        case "text":
        case "thinking":
        case "tool-input-delta":
          return event.text !== "";
        case "tool-input-start":
          return nonBlank(event.id) !== undefined || nonBlank(event.name) !== undefined;
        case "tool-input-end":
          return inputs.find(event.key)?.closed === false;
        case "provider-data":
        case "native":
          return true;
      }
    },
    add(event) {
      switch (event.type) {
        case "tool-input-delta":
          return inputs.append(event.key, event.text);
        case "text":
        case "thinking":
          return addText(items, event, maxTextLength);
        case "tool-input-start":
          return inputs.start(event);
        case "tool-input-end":
          return inputs.end(event.key, event.text);
        case "provider-data":
          return attachProviderData(items, inputs, event);
        case "native":
          return addNative(items, event);
      }
    },
  };
}

type EventOf<Type extends ContentEvent["type"]> = Extract<ContentEvent, { readonly type: Type }>;

/** Providers send empty thinking blocks that they want back. An empty text is nothing. */
function addText(
  items: Item[],
  { type, text }: EventOf<"text" | "thinking">,
  maxTextLength: number,
): StreamError | undefined {
  if (type === "text" && text === "") return undefined;
  const before = items.at(-1);
  if (
    before !== undefined &&
    before.type === type &&
    "hasProviderData" in before &&
    !before.hasProviderData
  )
    return appendText(before.buffer, text);
  const prose: TextItem = {
    type,
    buffer: createTextBuffer(maxTextLength),
    providerData: undefined,
    hasProviderData: false,
  };
  items.push(prose);
  return appendText(prose.buffer, text);
}

function attachProviderData(
  items: Item[],
  inputs: Inputs,
  { data, key }: EventOf<"provider-data">,
): undefined {
  const block = key === undefined ? items.at(-1) : inputs.find(key);
  if (block === undefined || block.type === "native") return;
  if (key === undefined && block.type === "input" && block.providerData !== undefined) return;
  block.providerData = toPlainJson(data);
  if ("hasProviderData" in block) block.hasProviderData = true;
}

function addNative(items: Item[], { data, opens, closes }: EventOf<"native">): undefined {
  items.push({
    type: "native",
    data: toPlainJson(data),
    ...(opens !== undefined && { opens }),
    ...(closes !== undefined && { closes }),
  });
}

export const textOf = (items: readonly Item[]): string =>
  items.map((item) => (item.type === "text" ? bufferedText(item.buffer) : "")).join("");

/** The ids of server calls that this reply opened and did not close. */
export function openServerCalls(items: readonly Item[]): ReadonlySet<string> {
  const open = new Set<string>();
  for (const item of items) {
    if (item.type !== "native") continue;
    if (item.opens !== undefined) open.add(item.opens);
    if (item.closes !== undefined) open.delete(item.closes);
  }
  return open;
}
