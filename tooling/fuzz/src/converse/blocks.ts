import { type Fields, isObject, jsonValue, members, nonBlank, textOrNone } from "../json.ts";
import type { Notes } from "../notes.ts";
import type { WireCall } from "../reading.ts";

/** The kind of a block. `other` is kept for the provider alone. */
export type BlockKind = "text" | "thinking" | "call" | "step" | "result" | "other";

export interface ConversePart {
  readonly kind: BlockKind;
  /** What its start says. Text and reasoning have none. */
  readonly start: Fields;
  readonly pieces: string[];
  closed: boolean;
}

/** The kind of a block with a start. `undefined`: its start has no type. */
export function startedKind(notes: Notes, start: Fields): BlockKind | undefined {
  const { toolUse, toolResult, image } = start;
  notes.ambiguity("a start of several types", Object.keys(start).length > 1);
  notes.ambiguity(
    "a result that is not an object",
    toolResult !== undefined && !isObject(toolResult),
  );
  if (toolResult !== undefined) return "result";
  if (image !== undefined) return "other";
  if (toolUse === undefined) return undefined;
  notes.ambiguity("a call that is not an object", !isObject(toolUse));
  const { type } = members(toolUse);
  notes.ambiguity("a call of an unknown type", type !== undefined && type !== "server_tool_use");
  return type === undefined ? "call" : "step";
}

/** The call of a block. */
export function converseCall(notes: Notes, { start, pieces }: ConversePart): WireCall {
  const { toolUseId: id, name, input } = start;
  const named = notes.named(name, id);
  notes.ambiguity(
    "an empty call",
    ![name, id].some(nonBlank) && input === undefined && pieces.join("").trim() === "",
  );
  return { ...named, text: input === undefined ? pieces.join("") : JSON.stringify(input) };
}

export const converseText = ({ kind, pieces }: ConversePart): string =>
  kind === "text" ? pieces.join("") : "";

/** Whether a tool of the service has no result. */
export function hasOpenStep(notes: Notes, blocks: readonly ConversePart[]): boolean {
  const answered = new Set(
    blocks.flatMap(({ kind, start }) => (kind === "result" ? [start["toolUseId"]] : [])),
  );
  const open = blocks.filter(
    ({ kind, start }) => kind === "step" && !answered.has(start["toolUseId"]),
  );
  notes.doubt(
    "a server tool whose input cannot be read",
    open.some(({ pieces }) => pieces.length > 0 && jsonValue(pieces.join("")) === undefined),
  );
  return open.length > 0;
}

/** The text of a piece, and the kind of the block that it belongs to. */
interface BlockPiece {
  readonly kind: BlockKind;
  readonly text: string | undefined;
  /** The block begins with it, because it has no start. */
  readonly begins: boolean;
}

export const isListOfObjects = (value: unknown): boolean =>
  Array.isArray(value) && value.every(isObject);

/** Reads a piece. `undefined` for one of an unknown type. */
export function pieceOf(notes: Notes, delta: Fields): BlockPiece | undefined {
  const known = ["text", "toolUse", "reasoningContent", "toolResult", "citation", "image"].filter(
    (type) => delta[type] !== undefined,
  );
  notes.ambiguity("a piece of several types", known.length > 1);
  const { text, toolUse, reasoningContent, toolResult } = delta;
  if (text !== undefined) return { kind: "text", text: textOrNone(text), begins: true };
  if (toolUse !== undefined)
    return { kind: "call", text: textOrNone(members(toolUse)["input"]), begins: false };
  if (toolResult !== undefined)
    return { kind: "result", text: isListOfObjects(toolResult) ? "" : undefined, begins: false };
  if (reasoningContent === undefined) return undefined;
  const { text: thought, signature, redactedContent } = members(reasoningContent);
  const isOdd =
    !isObject(reasoningContent) ||
    [thought, signature, redactedContent].some(
      (member) => member !== undefined && typeof member !== "string",
    );
  return { kind: "thinking", text: isOdd ? undefined : (textOrNone(thought) ?? ""), begins: true };
}
