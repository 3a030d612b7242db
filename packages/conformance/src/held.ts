type Body = Readonly<Record<string, unknown>>;

/** What a provider keeps of a reply. */
export interface KeptReply {
  readonly id: string;
  /**
   * Its output items or content blocks, as the provider puts them before the next request. They
   * break no rule for requests: the provider does not refuse what it wrote itself.
   */
  readonly parts: readonly Body[];
  /**
   * Why it is not known whether the provider keeps the parts: what the reply is, as a noun phrase.
   * Absent if the vendor documents that it keeps them.
   */
  readonly doubt?: string;
}

/** A request that was answered, and what the provider keeps of its reply. */
export interface KeptTurn {
  readonly body: unknown;
  readonly reply: KeptReply;
}

/** A request as the provider reads it: with the history that it refers to. */
export interface JoinedRequest {
  /**
   * The body with the history before its own messages, and without the reference. There are two if
   * it is not known whether the provider keeps a reply of that history: one with it, one without.
   */
  readonly possible: readonly unknown[];
  /** Why there are two: a sentence without a full stop. */
  readonly doubt?: string;
  /** Why the provider refuses the reference, in the words of its error. */
  readonly refusals: readonly string[];
}

/** How a provider keeps the histories of conversations. */
export interface HeldConversations {
  /**
   * What it keeps of a reply. `undefined` if the reply has no id. `events` are those of the stream,
   * or the one body; an event that cannot be read is `undefined`.
   */
  keep(events: readonly unknown[]): KeptReply | undefined;
  /** The id of the reply from which a request goes on. */
  previousReply(body: unknown): string | undefined;
  /** Joins a request with the earlier ones of its run, in their order. */
  join(body: unknown, earlier: readonly KeptTurn[]): JoinedRequest;
}
