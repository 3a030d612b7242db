import type { ToolSpec, TurnRequest } from "../contract/adapter.ts";
import type { Message, ToolCallBlock } from "../contract/message.ts";
import { type Fields, isFields } from "../json/fields.ts";
import { parsePlainJson } from "../json/parse.ts";

/** A tool of a request. */
export type OfferedTool = NonNullable<TurnRequest["tools"]>[number];

/** For an API without free-form tools: their text is the only property of an object. */
export const textSchema: {
  readonly type: "object";
  readonly properties: object;
  readonly required: string[];
} = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };

/** The schema of a function for a tool: an object, also for a free-form one. */
export const functionSchema = (
  inputSchema: Fields | "text",
): Fields & { readonly type: "object" } =>
  inputSchema === "text"
    ? { ...textSchema, additionalProperties: false }
    : { ...inputSchema, type: "object" };

/** The input of a call for an API that requires an object: any other input becomes `{ text }`. */
export function inputObject(
  { inputText, kind }: Pick<ToolCallBlock, "inputText" | "kind">,
  parse: (text: string) => unknown = parsePlainJson,
): Fields {
  if (kind === "text") return { text: inputText };
  if (inputText.trim() === "") return {};
  try {
    const input = parse(inputText);
    return isFields(input) ? input : { text: inputText };
  } catch {
    return { text: inputText };
  }
}

/**
 * The tools that a history calls, each once, for an API that refuses such a history without tools.
 * `rename`: the name that the API accepts.
 */
export function calledTools(
  messages: readonly Message[],
  rename: (name: string) => string,
): readonly ToolSpec[] {
  const names = messages.flatMap((message) =>
    message.role === "user"
      ? []
      : message.content.flatMap((block) =>
          block.type === "tool-call" || block.type === "tool-result" ? [rename(block.name)] : [],
        ),
  );
  return [...new Set(names)].map((name) => ({
    name,
    description: "Called earlier in this conversation; no longer offered.",
    inputSchema: { type: "object", properties: {} },
  }));
}

/** What a provider accepts as a tool name. */
export interface ToolNameRule {
  /** Matches each character that is refused; needs the flag `g`. */
  readonly refused: RegExp;
  readonly maxLength: number;
}

/**
 * A tool name that a provider accepts. History may hold names of tools that were offered to another
 * provider, with characters that this one refuses.
 */
export const safeToolName = (name: string, { refused, maxLength }: ToolNameRule): string =>
  name.replaceAll(refused, "_").slice(0, maxLength);
