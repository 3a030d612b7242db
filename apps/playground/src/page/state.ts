import type { CorpusReply, PageContent } from "../corpus.ts";
import { type Edits, editReply } from "../reply/edits.ts";
import type { ProtocolName } from "../reply/protocols.ts";
import type { Arrived } from "../reply/read-reply.ts";

/** A reply that the reader of the page pasted. */
export interface Pasted {
  readonly protocol: ProtocolName;
  readonly text: string;
}

/** Everything that a link holds. */
export interface PageState {
  /** The id of a reply of the corpus. */
  readonly reply: string;
  /** It replaces the reply of the corpus. */
  readonly pasted?: Pasted | undefined;
  /** The number of bytes that arrive. Undefined: all. */
  readonly cut?: number | undefined;
  /** The output cap of the request. Undefined: that of the reply in the corpus. */
  readonly cap?: number | undefined;
  readonly edits: Edits;
}

/** The reply of a state with its changes, before the cut. */
export interface Scene {
  readonly protocol: ProtocolName;
  /** Of the corpus. Undefined: it was pasted. */
  readonly known: CorpusReply | undefined;
  readonly text: string;
  /** All bytes. */
  readonly whole: Arrived;
  readonly cap: number | undefined;
}

/** The reply, its bytes and its request. */
export function sceneOf(content: PageContent, state: PageState): Scene {
  const { pasted, edits } = state;
  const known =
    pasted === undefined
      ? (content.replies.find(({ id }) => id === state.reply) ?? content.replies[0])
      : undefined;
  const protocol = pasted?.protocol ?? known?.protocol ?? "anthropic-messages";
  const text = editReply(pasted?.text ?? known?.text ?? "", protocol, edits);
  const cap = state.cap ?? known?.maxTokens;
  const bytes = new TextEncoder().encode(text);
  const { messages, tools } = content.request;
  const request = {
    // What was offered with a reply that was pasted is not known.
    ...(known && { messages, tools }),
    ...(cap !== undefined && { maxTokens: cap }),
  };
  return { protocol, known, text, cap, whole: { protocol, bytes, request } };
}

/** How many bytes arrive. */
export const cutOf = ({ cut }: PageState, { whole }: Scene): number =>
  Math.min(cut ?? whole.bytes.length, whole.bytes.length);
