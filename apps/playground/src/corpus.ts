import type { ClauseText } from "@fullstop/conformance";
import type { TurnRequest } from "@fullstop/core";
import type { ProtocolName } from "./reply/protocols.ts";

/** A reply that the page offers. */
export interface CorpusReply {
  /** `anthropic/cap-in-call` */
  readonly id: string;
  readonly protocol: ProtocolName;
  /** A phrase that names it. */
  readonly name: string;
  readonly source?: string;
  readonly evidence?: string;
  /** The output cap of its request. */
  readonly maxTokens?: number;
  /** The stream, or the body, as a server sends it. */
  readonly text: string;
}

/** What the build puts into the page. */
export interface PageContent {
  readonly replies: readonly CorpusReply[];
  /** The request that all replies of the corpus answer. */
  readonly request: TurnRequest;
  readonly clauses: Readonly<Record<string, ClauseText>>;
}
