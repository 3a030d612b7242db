import type { InputKey, TurnEvent } from "./event.ts";
import type { AssistantBlock, NativeBlock, TextBlock, ThinkingBlock, ToolCallBlock } from "./message.ts";
import type { StopReason } from "./stop.ts";

/** What the model writes for a tool, while it arrives. */
export interface Input {
  readonly type: "input";
  readonly key: InputKey;
  id: string | undefined;
  name: string | undefined;
  readonly kind: "text" | undefined;
  readonly pieces: string[];
  size: number;
  /** The whole text, where the protocol said it once more at the end. */
  whole: string | undefined;
  closed: boolean;
  seal: unknown;
}
export interface Prose {
  readonly type: "text" | "thinking";
  text: string;
  seal: unknown;
  sealed: boolean;
}
export type Item = Prose | Input | NativeBlock;

export const inputText = (input: Input): string => input.whole ?? input.pieces.join("");

/** The most characters one text or input may have; what arrives beyond is not kept. */
export const ceiling: number = 16 * 1024 * 1024;

/** Takes the content of a reply, in order. */
export interface Blocks {
  readonly items: readonly Item[];
  /** A sentence where the event contradicts what came before, or outgrows the ceiling. */
  take(event: ContentEvent): Complaint | undefined;
}
export type ContentEvent = Extract<
  TurnEvent,
  { readonly type: "text" | "thinking" | "tool-input-start" | "tool-input" | "tool-input-end" | "seal" | "native" }
>;
export interface Complaint {
  readonly kind: "malformed-reply" | "too-large";
  readonly message: string;
}

const blank = (text: string | undefined): boolean => text === undefined || text.trim() === "";
const tooLarge: Complaint = {
  kind: "too-large",
  message: `A text or an input of the reply is larger than ${ceiling} characters; reading stopped.`,
};

export function createBlocks(): Blocks {
  const items: Item[] = [];
  const open = new Map<InputKey, Input>();
  let last: Input | undefined; // spares the map for the pieces of one input in a row

  const find = (key: InputKey): Input | undefined => (last !== undefined && last.key === key ? last : open.get(key));
  const prose = (type: Prose["type"], text: string): Complaint | undefined => {
    const before = items.at(-1);
    if (before !== undefined && "sealed" in before && before.type === type && !before.sealed) {
      before.text += text;
      return before.text.length > ceiling ? tooLarge : undefined;
    }
    items.push({ type, text, seal: undefined, sealed: false });
    return undefined;
  };
  const start = ({ key, id, name, kind }: Extract<ContentEvent, { type: "tool-input-start" }>): Complaint | undefined => {
    const known = find(key);
    if (known === undefined || known.closed) {
      last = {
        type: "input",
        key,
        id: blank(id) ? undefined : id,
        name: blank(name) ? undefined : name,
        kind,
        pieces: [],
        size: 0,
        whole: undefined,
        closed: false,
        seal: undefined,
      };
      items.push(last);
      open.set(key, last);
      return undefined;
    }
    if (known.id !== undefined && !blank(id) && id !== known.id && !blank(name)) {
      return { kind: "malformed-reply", message: `The reply starts a second tool input (${id}) under a key that ${known.id} still holds.` };
    }
    if (known.id === undefined && !blank(id)) known.id = id;
    if (known.name === undefined && !blank(name)) known.name = name;
    return undefined;
  };
  const piece = (key: InputKey, text: string): Complaint | undefined => {
    const input = find(key);
    if (input === undefined || input.closed) {
      return text === "" ? undefined : { kind: "malformed-reply", message: `The reply continues a tool input (${key}) that is not open.` };
    }
    last = input;
    input.pieces.push(text);
    input.size += text.length;
    return input.size > ceiling ? tooLarge : undefined;
  };
  const end = (key: InputKey, text: string | undefined): Complaint | undefined => {
    const input = find(key);
    if (input === undefined || input.closed) return undefined;
    input.closed = true;
    input.whole = text;
    return (text?.length ?? 0) > ceiling ? tooLarge : undefined;
  };
  const seal = (data: unknown, key: InputKey | undefined): undefined => {
    const block = key === undefined ? items.at(-1) : find(key);
    if (block === undefined || block.type === "native") return;
    block.seal = data;
    if (block.type !== "input") block.sealed = true;
  };

  return {
    items,
    take(event) {
      switch (event.type) {
        case "tool-input":
          return piece(event.key, event.text);
        case "text":
        case "thinking":
          return prose(event.type, event.text);
        case "tool-input-start":
          return start(event);
        case "tool-input-end":
          return end(event.key, event.text);
        case "seal":
          return seal(event.data, event.key);
        case "native": {
          const { data, opens, closes } = event;
          items.push({ type: "native", data, ...(opens !== undefined && { opens }), ...(closes !== undefined && { closes }) });
          return undefined;
        }
      }
    },
  };
}

export const textOf = (items: readonly Item[]): string => items.map((item) => (item.type === "text" ? item.text : "")).join("");

/** Ids of server calls that this reply opened and did not close. */
export function openServerCalls(items: readonly Item[]): ReadonlySet<string> {
  const open = new Set<string>();
  for (const item of items) {
    if (item.type === "native" && item.opens !== undefined) open.add(item.opens);
    if (item.type === "native" && item.closes !== undefined) open.delete(item.closes);
  }
  return open;
}

/** Reasons under which an open server call is continued by a later reply. */
const goesOn: ReadonlySet<StopReason> = new Set(["pause", "tool-use"]);

/**
 * What of a reply may be sent back to a provider: inputs only as the calls they became; without them, also without the sealed blocks of their group;
 * no unsealed thinking, and no server call that nobody will finish. Empty where only thinking would be left.
 */
export function replaySafe(
  items: readonly Item[],
  reason: StopReason,
  calls: ReadonlyMap<Input, ToolCallBlock>,
): readonly AssistantBlock[] {
  const unfinished = goesOn.has(reason) ? new Set<string>() : openServerCalls(items);
  const safe: AssistantBlock[] = [];
  for (const item of items) {
    if (item.type === "input") {
      const block = calls.get(item);
      if (block !== undefined) safe.push(block);
      else if (calls.size === 0) while (isReasoning(safe.at(-1))) safe.pop();
    } else if (item.type === "native") {
      if (item.opens === undefined || !unfinished.has(item.opens)) safe.push(item);
    } else if (item.type === "text" ? item.text !== "" : item.sealed) {
      safe.push(proseBlock(item));
    }
  }
  return safe.every((block) => block.type === "thinking") ? [] : safe;
}

/** Sealed thinking, or a native block that pairs with nothing: it belongs to what follows it. */
const isReasoning = (block: AssistantBlock | undefined): boolean =>
  block?.type === "thinking" || (block?.type === "native" && block.opens === undefined && block.closes === undefined);

const proseBlock = ({ type, text, seal, sealed }: Prose): TextBlock | ThinkingBlock => ({ type, text, ...(sealed && { seal }) });
