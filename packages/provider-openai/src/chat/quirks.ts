import type { Effort } from "@fullstop/core";

/** A field of assistant messages that holds the model's reasoning, and that the host wants back. */
export type ReasoningField = "reasoning_content" | "reasoning_details";

/** What a host does otherwise when it replies. */
export interface ReplyQuirks {
  /**
   * What ends a reply in which no `finish_reason` came. `true`: `[DONE]`, or a whole body, for the host never says one. `"counted"`: the same, if a
   * usage report came, which is sent when generation has ended. `false`, or nothing: such a reply is interrupted.
   */
  readonly doneEnds?: boolean | "counted" | undefined;
  /** It splits one reply over several choices. */
  readonly mergesChoices?: true | undefined;
  /** It gives a call another id in each chunk and repeats its name: only the index tells calls apart. */
  readonly rotatesIds?: true | undefined;
  /** Each chunk says the arguments from their beginning. */
  readonly restatesArguments?: true | undefined;
  /** It skips indices of calls for a reason of its own. Elsewhere a missing index between two calls is a call that was lost. */
  readonly sparseIndices?: true | undefined;
  /**
   * How its usage and its cap count reasoning. `"counted"`: both count it as output. `"beside"`: `completion_tokens` leaves it out and the cap does not.
   * `"uncapped"`: the cap leaves it out. Nothing: not known, so an output beyond the cap proves nothing if its reasoning explains it.
   */
  readonly reasoningTokens?: "counted" | "beside" | "uncapped" | undefined;
  readonly reasoning?: ReasoningField | undefined;
}

/** What a host wants otherwise in a request. */
export interface RequestQuirks {
  /** The parameter for the output cap. */
  readonly capName?: "max_tokens" | "max_completion_tokens" | undefined;
  /** It knows free-form tools; elsewhere their text is the one member of an object. */
  readonly customTools?: true | undefined;
  /** It takes `file` parts. */
  readonly files?: true | undefined;
  /** It refuses `content: null` beside calls. */
  readonly contentNeeded?: true | undefined;
  /** Results carry the name of their tool. */
  readonly namesResults?: true | undefined;
  /** Between results and a user message it wants an assistant message. */
  readonly answersResults?: true | undefined;
  /** A history with calls wants tools in the request. */
  readonly toolsNeeded?: true | undefined;
  /** Its word for a tool call that must come. */
  readonly required?: "any" | undefined;
  /** It does not know `stream_options` and reports usage by itself. */
  readonly noStreamOptions?: true | undefined;
  /** Parameters that every streamed request with tools needs. */
  readonly toolStream?: Readonly<Record<string, unknown>> | undefined;
  /** How it is asked to think more or less; `reasoning_effort` unless told. */
  readonly effort?: Readonly<Record<Effort, Readonly<Record<string, unknown>>>> | undefined;
}
/** What a host does otherwise than OpenAI. */
export interface Quirks extends ReplyQuirks, RequestQuirks {}
