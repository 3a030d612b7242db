import type { Message, ToolCallBlock, ToolResultBlock } from "@fullstop/core";
import type { Entry, ReadBlock, ReadResult, Source } from "../transcript.ts";
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
  /** A call as the file has it. `member` holds its id, which its result gets too. */
  call(block: ToolCallBlock, member: string): Fields;
  /** A result as the file has it, or a new one. `member` holds the id of its call. */
  result(
    block: ToolResultBlock,
    member: string,
    added: (id: string, text: string) => Fields,
  ): Fields;
}
export function createWrittenIds(): WrittenIds {
  const written = new Map<string, string>();
  /** Undefined: the source has it already. */
  const renamed = (part: { readonly id: string }): string | undefined =>
    sourceOf(part)?.id === part.id ? undefined : (written.get(part.id) ?? part.id);
  return {
    call: (block, member) => {
      const id = renamed(block) ?? sourceOf(block)?.nativeId ?? block.id;
      written.set(block.id, id);
      return { ...rawOf(block), [member]: id };
    },
    result: (block, member, added) => {
      if (isAdded(block)) return added(written.get(block.id) ?? block.id, addedText(block));
      const id = renamed(block);
      return { ...rawOf(block), ...(id !== undefined && { [member]: id }) };
    },
  };
}

/** A message of a person with results: the results, and what else it has in `member`. */
export function splitResults(
  source: Source,
  member: "content" | "parts",
  results: readonly ReadResult[],
  others: readonly Fields[],
): readonly Entry[] {
  const text = contentText(others);
  if (results.length === 0) return [{ kind: "user", text, source }];
  const rest = { ...source, raw: { ...source.raw, [member]: others } };
  return [
    { kind: "results", results, source },
    ...(others.length > 0 ? [{ kind: "user", text, source: rest } as const] : []),
  ];
}

/** What a person says behind results is in their message. */
export function writeJoined(
  messages: readonly Message[],
  write: (message: Message) => Fields,
  join: (results: Fields, said: Fields) => Fields,
): readonly Fields[] {
  const written: Fields[] = [];
  let hasResults = false;
  for (const message of messages) {
    const next = write(message);
    const before: Fields | undefined =
      message.role === "user" && hasResults ? written.pop() : undefined;
    written.push(before === undefined ? next : join(before, next));
    hasResults = message.role === "tool" || before !== undefined;
  }
  return written;
}

export const rawOf = (value: object): Fields => sourceOf(value)?.raw ?? {};

export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (isFields(part) ? textOf(part["text"]) : "")).join("\n");
}

/** The names that the schema of each tool requires. */
export const requiredInputs = (
  tools: readonly Fields[],
  schemaOf: (tool: Fields) => unknown,
): ReadonlyMap<string, readonly string[]> =>
  new Map(
    tools.map((tool) => {
      const { required } = fieldsOf(schemaOf(tool));
      const names = Array.isArray(required) ? required : [];
      return [textOf(tool["name"]), names.filter((name) => typeof name === "string")];
    }),
  );

export const addedText = (result: { readonly content: unknown }): string => textOf(result.content);

export const isAdded = (part: object): boolean => sourceOf(part) === undefined;
