/** Why a reply ended, the same for every provider. */
export const StopReason = {
  /** The model finished; with complete calls the gate says `ToolUse`. */
  Stop: "stop",
  /** The model finished and asks for at least one complete call: the only reason under which calls run. */
  ToolUse: "tool-use",
  /** The output cap cut the reply. */
  Length: "length",
  /** The context window is full; a bigger cap cannot help. */
  ContextWindow: "context-window",
  /** The provider paused a server-side step; sending the turn back continues it. */
  Pause: "pause",
  /** The model declined. */
  Refusal: "refusal",
  /** A filter outside the model cut or blocked the reply. */
  ContentFilter: "content-filter",
  /** The reply ended normally, but a call in it is unusable. */
  MalformedToolCall: "malformed-tool-call",
  /** The provider says that it failed. */
  Error: "error",
  /** The transport failed, timed out, or ended without a word. */
  Interrupted: "interrupted",
  /** The caller's signal. */
  Aborted: "aborted",
  /** A word that the adapter's table does not list. */
  Unknown: "unknown",
} as const;
export type StopReason = (typeof StopReason)[keyof typeof StopReason];

/** What a table may claim: `interrupted` and `aborted` are found by the gate, never claimed. */
export type ClaimedStop = Exclude<StopReason, "interrupted" | "aborted">;
/** The reasons whose turn carries an `error`. */
export type FailedStop =
  | "error"
  | "interrupted"
  | "unknown"
  | "context-window"
  | "malformed-tool-call";
/** `message`: as it came, without withheld calls. `text`: what is safe to replay, where there is text. */
export type Keeps = "message" | "text" | "nothing";
/** What each reason allows, how bad it is (of several, the worst counts) and what history keeps of its reply. */
export const stopRules: Readonly<
  Record<StopReason, { readonly severity: number; readonly keeps: Keeps }>
> = {
  stop: { severity: 0, keeps: "message" },
  "tool-use": { severity: 1, keeps: "message" },
  unknown: { severity: 2, keeps: "text" },
  pause: { severity: 3, keeps: "message" },
  interrupted: { severity: 4, keeps: "nothing" },
  "malformed-tool-call": { severity: 5, keeps: "text" },
  length: { severity: 6, keeps: "text" },
  "context-window": { severity: 7, keeps: "nothing" },
  refusal: { severity: 8, keeps: "nothing" },
  "content-filter": { severity: 9, keeps: "nothing" },
  error: { severity: 10, keeps: "nothing" },
  aborted: { severity: 11, keeps: "text" },
};

export const worse = (a: StopReason, b: StopReason): StopReason =>
  stopRules[b].severity > stopRules[a].severity ? b : a;
