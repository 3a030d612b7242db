/** `undecided`: the rules of the protocol leave open whether the reply is whole. */
export type Verdict = "finished" | "unfinished" | "undecided";

/** Why a reply ended, in the words of `Turn`. */
export type Reason =
  | "stop"
  | "tool-use"
  | "length"
  | "context-window"
  | "pause"
  | "refusal"
  | "content-filter"
  | "malformed-tool-call"
  | "error"
  | "interrupted"
  | "unknown";

/** What a native word means. `sequence`: an ending after which no call runs. */
export type StopMeaning = Exclude<Reason, "interrupted"> | "sequence";

/** A call that the wire carries. */
export interface WireCall {
  readonly name: string | undefined;
  readonly id: string | undefined;
  /** What was written for the tool: JSON, or free text. */
  readonly text: string;
  readonly free: boolean;
  /** The wire numbers the pieces of the text or says it again, so that a lost or changed piece can be seen. */
  readonly restated: boolean;
  /** The wire says the name a single time. */
  readonly namedOnce?: boolean | undefined;
}

/** What a reply says by the rules of its protocol. */
export interface Reading {
  readonly verdict: Verdict;
  readonly because: string;
  readonly calls: readonly WireCall[];
  /** The number of the calls and their texts are beyond doubt. */
  readonly sure: boolean;
  /** All of it can be read, though its end may be missing: a turn lists every call of it. */
  readonly orderly: boolean;
  /** Content comes behind the word, which ends a reply without `[DONE]`, too: a cut there hides it. */
  readonly spills?: boolean | undefined;
  /** Not judged where absent. */
  readonly text?: string | undefined;
  readonly reason?: Reason | undefined;
}
