import { type Fields, jsonValue, textOrNone, withoutEmptyObject } from "../json.ts";
import type { Notes } from "../notes.ts";
import type { WireCall } from "../reading.ts";

export interface ReceivedBlock {
  readonly type: string;
  readonly start: Fields;
  readonly pieces: string[];
  closed: boolean;
  startsAgain?: true;
}

export const isServerTool = ({ type }: ReceivedBlock): boolean =>
  type !== "tool_use" && type.endsWith("tool_use");

/** The type of a block whose index is left out. */
export const missingBlock = "missing";

export function toolUse(notes: Notes, { start, pieces }: ReceivedBlock): WireCall {
  const { id, name, input } = start;
  const given = typeof input === "object" && input !== null ? JSON.stringify(input) : "";
  const texts = pieces.filter((piece) => piece !== "");
  const sent = texts[0]?.trim() === "{}" ? withoutEmptyObject(texts) : texts;
  notes.ambiguity(
    "an invalid input",
    Array.isArray(input) ||
      !["object", "undefined"].includes(typeof (input === "" ? undefined : input)),
  );
  return { text: notes.inputOf(given, sent), ...notes.named(name, id) };
}

export const hasOnlyTexts = (start: Fields): boolean =>
  ["text", "thinking", "signature"].every(
    (member) => start[member] === undefined || typeof start[member] === "string",
  );

export function blockText({ type, start, pieces }: ReceivedBlock): string {
  return type === "text" ? (textOrNone(start["text"]) ?? "") + pieces.join("") : "";
}

/** Whether a server tool has no result. */
export function hasOpenServerTool(notes: Notes, blocks: readonly ReceivedBlock[]): boolean {
  const answered = new Set(blocks.map(({ start }) => start["tool_use_id"]));
  const open = blocks.filter((block) => isServerTool(block) && !answered.has(block.start["id"]));
  notes.doubt(
    "a server tool whose input cannot be read",
    open.some(({ pieces }) => pieces.length > 0 && jsonValue(pieces.join("")) === undefined),
  );
  return open.length > 0;
}
