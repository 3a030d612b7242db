import { anthropicMessages } from "./anthropic/index.ts";
import { chat } from "./chat/index.ts";
import { converse } from "./converse/index.ts";
import { gemini } from "./gemini/index.ts";
import { interactions } from "./interactions/index.ts";
import { ollamaChat } from "./ollama/index.ts";
import type { Protocol } from "./protocol.ts";
import { responses } from "./responses/index.ts";

export type ProtocolName =
  | "anthropic"
  | "responses"
  | "chat"
  | "gemini"
  | "interactions"
  | "converse"
  | "ollama";

/** The tested protocols, and how each can hide a lost or changed piece of an input. */
export const protocols: Readonly<Record<ProtocolName, Protocol & { readonly hides: string }>> = {
  anthropic: {
    ...anthropicMessages,
    hides: "blocks are numbered, but the pieces of an input are neither numbered nor repeated",
  },
  responses: {
    ...responses,
    hides: "an input that the host sends only once",
  },
  chat: {
    ...chat,
    hides:
      "calls are numbered, but the pieces of an input are not, and only some hosts repeat the input",
  },
  gemini: {
    ...gemini,
    hides:
      "a call is sent once, in a part without a number, and its streamed arguments are not numbered",
  },
  interactions: {
    ...interactions,
    hides: "steps are numbered, but the pieces of an input are neither numbered nor repeated",
  },
  converse: {
    ...converse,
    hides:
      "blocks are numbered and messages have checksums, but the pieces of an input are neither numbered nor repeated",
  },
  ollama: {
    ...ollamaChat,
    hides: "a call is sent once, in a line without a number",
  },
};
export const protocolNames = Object.keys(protocols) as readonly ProtocolName[];
/** The protocols that `guard()` reads. */
export const guardedNames: readonly ProtocolName[] = protocolNames.filter(
  (name) => protocols[name].guarded !== undefined,
);
