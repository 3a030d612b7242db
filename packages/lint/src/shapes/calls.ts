import type { ToolCallBlock } from "@fullstop/core";
import type { ReadBlock, ReadResult, Source } from "../transcript.ts";
import { sourceOf } from "../transcript.ts";
import { type Fields, fieldsOf, isFields, textOf } from "../values.ts";

interface CallParts {
  readonly at: number;
  readonly raw: Fields;
  readonly id: string;
  readonly nativeId?: string;
  readonly name: unknown;
  readonly inputText: string;
  readonly isText?: boolean;
}
export const readCall = (parts: CallParts): ReadBlock => ({
  type: "tool-call",
  id: parts.id,
  name: textOf(parts.name),
  inputText: parts.inputText,
  ...(parts.isText && { kind: "text" as const }),
  source: callSource(parts),
});

/** A result as core's rules read it. Its content stays in the source. */
export const readResult = (
  parts: Omit<CallParts, "inputText" | "isText"> & { readonly isError?: boolean },
): ReadResult => ({
  type: "tool-result",
  id: parts.id,
  name: textOf(parts.name),
  content: "",
  ...(parts.isError && { isError: true }),
  source: callSource(parts),
});

const callSource = ({
  at,
  raw,
  id,
  nativeId = id,
}: Pick<CallParts, "at" | "raw" | "id" | "nativeId">): Source => ({ at, raw, id, nativeId });

export const readOther = (at: number, raw: Fields): ReadBlock => ({
  type: "native",
  data: undefined,
  source: { at, raw },
});

/** A text that begins like an object is left of an input that a client could not parse. */
export const inputTextOf = (input: unknown): string =>
  typeof input === "string" && input.trimStart().startsWith("{")
    ? input
    : (JSON.stringify(input) ?? "");

export interface LocalIds {
  call(nativeId: string, at: number): string;
  /** The id of the last call with this id. */
  result(nativeId: string): string;
}
export function createLocalIds(): LocalIds {
  const last = new Map<string, { readonly at: number; readonly id: string }>();
  return {
    call(nativeId, at) {
      const before = last.get(nativeId);
      if (before?.at === at) return before.id;
      const id = before === undefined ? nativeId : `${nativeId}#${at}`;
      last.set(nativeId, { at, id });
      return id;
    },
    result: (nativeId) => last.get(nativeId)?.id ?? nativeId,
  };
}

export interface WrittenIds {
  /** The id to write, or undefined if the source has it already. */
  renamed(part: { readonly id: string }): string | undefined;
  /** Notes a call; its result gets the same id. */
  add(call: ToolCallBlock): void;
  /** The id of the call that a new result answers. */
  of(id: string): string;
}
export function createWrittenIds(): WrittenIds {
  const written = new Map<string, string>();
  const renamed = (part: { readonly id: string }): string | undefined =>
    sourceOf(part)?.id === part.id ? undefined : (written.get(part.id) ?? part.id);
  return {
    renamed,
    add: (call) => {
      written.set(call.id, renamed(call) ?? sourceOf(call)?.nativeId ?? call.id);
    },
    of: (id) => written.get(id) ?? id,
  };
}

export const rawOf = (value: object): Fields => sourceOf(value)?.raw ?? {};

export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (isFields(part) ? textOf(part["text"]) : "")).join("\n");
}

export const requiredOf = (schema: unknown): readonly string[] => {
  const { required } = fieldsOf(schema);
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
};

export const addedText = (result: { readonly content: unknown }): string => textOf(result.content);

export const isAdded = (part: object): boolean => sourceOf(part) === undefined;
