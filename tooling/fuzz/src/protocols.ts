import { anthropicMessages } from "./anthropic/index.ts";
import { chat } from "./chat/index.ts";
import { gemini } from "./gemini/index.ts";
import type { Protocol } from "./protocol.ts";
import { responses } from "./responses/index.ts";

export type ProtocolName = "anthropic" | "responses" | "chat" | "gemini";

/** The protocols that are tried, and where each hides that a piece of an input was lost or changed. */
export const protocols: Readonly<Record<ProtocolName, Protocol & { readonly hides: string }>> = {
  anthropic: {
    ...anthropicMessages,
    hides: "blocks are numbered; the pieces of an input are not, and nothing says it again",
  },
  responses: {
    ...responses,
    hides:
      "an input that its host says only once: whole, or in pieces without an event that says it again",
  },
  chat: {
    ...chat,
    hides:
      "calls are numbered; the pieces of an input are not, and only hosts that restate say it again",
  },
  gemini: {
    ...gemini,
    hides:
      "a call is said once, in a part without a number; its streamed arguments are not numbered either",
  },
};
export const protocolNames = Object.keys(protocols) as readonly ProtocolName[];
