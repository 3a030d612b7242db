import type { JSONObject, SharedV4ProviderMetadata } from "@ai-sdk/provider";
import type { AssistantBlock, AssistantMessage } from "@fullstop/core";
import { canonicalJson, type Fields, fieldsOf, isFields } from "@fullstop/core/adapter";
import { type AssistantPart, fileOf, withFile } from "./native-file.ts";

type Block<Type extends AssistantBlock["type"]> = Extract<AssistantBlock, { readonly type: Type }>;

export type Origin = NonNullable<AssistantMessage["from"]>;

/** What a part carries to the next request beside what it shows, such as a signature. */
export interface Carried {
  readonly from: Origin;
  /** Of what the part shows. If that was changed, what is carried does not count. */
  readonly digest: string;
  /** The blocks that the part shows, each with its place in the message. */
  readonly blocks: readonly (Fields & { readonly at: number })[];
  /** Of a paused turn. */
  readonly ending?: Fields;
}

export type Carry = (...blocks: readonly AssistantBlock[]) => {
  readonly providerMetadata?: SharedV4ProviderMetadata;
};

/** Gives the metadata of the parts of a message. It has none if each block shows all that it is. */
export function createCarry({ content, from, stopReason, resume }: AssistantMessage): Carry {
  const isPaused = stopReason === "pause" || resume !== undefined;
  if (from === undefined || !(isPaused || content.some(hides))) return () => ({});
  const places = new Map(content.map((block, at) => [block, at]));
  return (...blocks) => {
    const isLast = isPaused && blocks.includes(content.at(-1) as AssistantBlock);
    const carried: Carried = {
      from,
      digest: digestOf(blocks.map(visibleIn).join("")),
      blocks: blocks.map((block) => ({ at: places.get(block) ?? 0, ...hiddenIn(block) })),
      ...(isLast && { ending: { stopReason, resume } }),
    };
    return { providerMetadata: { fullstop: carried as unknown as JSONObject } };
  };
}

const hides = (block: AssistantBlock): boolean =>
  block.type === "native" ||
  block.providerData !== undefined ||
  (block.type === "tool-call" && hiddenIn(block)["inputText"] !== undefined);

/** What a part shows of a block, and a program may change. */
function visibleIn(block: AssistantBlock): string {
  if (block.type === "native") return "";
  return block.type === "tool-call" ? visibleCall(block.name, block.inputText) : block.text;
}
const visibleCall = (name: string, input: string): string => `${name} ${canonical(input)}`;

function canonical(text: string): string {
  try {
    return canonicalJson(text.trim() || "{}");
  } catch {
    return text;
  }
}

function hiddenIn(block: AssistantBlock): Fields {
  if (block.type === "native") return { ...block, data: fileOf(block.data)?.rest ?? block.data };
  if (block.type !== "tool-call") {
    const { text, type: _, ...rest } = block;
    return { length: text.length, ...rest };
  }
  const { type: _, id: __, name: ___, inputText, ...rest } = block;
  return { ...rest, ...(isPlain(inputText) ? {} : { inputText }) };
}

/** The model wrote the input as AI SDK will. */
function isPlain(input: string): boolean {
  try {
    return JSON.stringify(JSON.parse(input)) === input;
  } catch {
    return false;
  }
}

/** What a part of a prompt carries, if it still shows what it showed. */
export function carriedBy(part: AssistantPart): Carried | undefined {
  const carried = fieldsOf(part.providerOptions?.["fullstop"]);
  const { from, digest, blocks } = carried;
  const isWhole = isFields(from) && Array.isArray(blocks) && blocks.every(isFields);
  return isWhole && digest === digestOf(visiblePart(part))
    ? (carried as unknown as Carried)
    : undefined;
}

function visiblePart(part: AssistantPart): string {
  if (part.type === "text" || part.type === "reasoning") return part.text;
  return part.type === "tool-call"
    ? visibleCall(part.toolName, JSON.stringify(part.input) ?? "{}")
    : "";
}

/** A block, and its place in its message. */
export type Placed = readonly [place: number, block: AssistantBlock];

/** The blocks of a part, as they were in the reply. */
export function restore(part: AssistantPart, { blocks }: Carried): readonly Placed[] {
  let start = 0;
  return blocks.map(({ at, length, ...hidden }) => {
    if (hidden["type"] === "native")
      return [at, withFile(hidden as unknown as Block<"native">, part)];
    if (part.type === "tool-call") {
      const { toolCallId: id, toolName: name, input } = part;
      const call = { type: "tool-call", id, name, inputText: JSON.stringify(input) } as const;
      return [at, { ...call, ...hidden }];
    }
    const from = start;
    start += Number(length);
    const text = "text" in part ? part.text.slice(from, start) : "";
    return [at, { type: part.type === "text" ? "text" : "thinking", text, ...hidden }];
  });
}

/** It finds a change, and tells nothing of a text that was removed. */
function digestOf(text: string): string {
  let one = 0xdeadbeef;
  let two = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x9e3779b1);
    two = Math.imul(two ^ unit, 0x5f356495);
  }
  return `${text.length}.${(one >>> 0).toString(36)}.${(two >>> 0).toString(36)}`;
}
