import type { Message } from "@fullstop/core";
import type { Fields } from "./values.ts";

/** The shapes of messages that can be read. */
export const shapeNames = [
  "fullstop",
  "ai-sdk",
  "ai-sdk-ui",
  "openai-chat",
  "openai-responses",
  "anthropic",
  "gemini",
] as const;
/** A shape of messages. */
export type ShapeName = (typeof shapeNames)[number];

export interface Document {
  readonly list: readonly Fields[];
  /** Empty if the file holds only the list. */
  readonly body: Fields;
}

export interface ReasoningFlaw {
  /** The message or item, counted from 0. */
  readonly at: number;
  readonly id?: string | undefined;
}

export interface Shape {
  readonly title: string;
  readonly member: "messages" | "contents" | "input";
  /** What shows that a transcript has this shape, as a noun phrase. */
  readonly evidence: (document: Document) => string | undefined;
  readonly read: (document: Document) => readonly Message[];
  readonly requiredInputs?: (body: Fields) => ReadonlyMap<string, readonly string[]>;
  readonly reasoningFlaws?: (document: Document) => readonly ReasoningFlaw[];
  /** Writes messages that `read` gave and core repaired. */
  readonly write: (messages: readonly Message[], document: Document) => readonly unknown[];
}
