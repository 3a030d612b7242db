/** `undecided`: the rules of the protocol do not decide whether the reply is finished. */
export type Verdict = "finished" | "unfinished" | "undecided";

/** Why a reply ended, with the names of `Turn`. */
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

/** The meaning of a native stop reason. `sequence`: a stop sequence, after which no call runs. */
export type StopMeaning = Exclude<Reason, "interrupted"> | "sequence";

/** A call in the bytes of a reply. */
export interface WireCall {
  readonly name: string | undefined;
  readonly id: string | undefined;
  /** The input of the tool: JSON, or free text. */
  readonly text: string;
  readonly free?: boolean | undefined;
  /**
   * The protocol numbers or repeats the pieces of the input, so that a lost or changed piece is
   * detectable.
   */
  readonly restated?: boolean | undefined;
  /** The name came only once. */
  readonly namedOnce?: boolean | undefined;
}

/** The meaning of a reply by the rules of its protocol. */
export interface Reading {
  readonly verdict: Verdict;
  readonly because: string;
  readonly calls: readonly WireCall[];
  /** The number of the calls and their inputs are certain. */
  readonly sure: boolean;
  /** The received part is readable, so a turn lists each call. The end may be missing. */
  readonly orderly: boolean;
  /** Content follows the stop reason. A cut between them is not detectable. */
  readonly spills?: boolean | undefined;
  /** Not checked if absent. */
  readonly text?: string | undefined;
  readonly reason?: Reason | undefined;
}
