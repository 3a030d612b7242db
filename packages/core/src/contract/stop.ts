/** Why a reply ended, the same for every provider. */
export const StopReason = {
  /** The model finished. If it also made complete calls, the gate reports `ToolUse`. */
  Stop: "stop",
  /** The model finished and made at least one complete call. Calls run only under this reason. */
  ToolUse: "tool-use",
  /** The output cap cut the reply. */
  Length: "length",
  /** The context window is full. A larger cap does not help. */
  ContextWindow: "context-window",
  /** The provider paused a step on its server. Sending the turn back continues it. */
  Pause: "pause",
  /** The model declined. */
  Refusal: "refusal",
  /** A filter outside the model cut or blocked the reply. */
  ContentFilter: "content-filter",
  /** The reply ended normally, but a call in it is unusable. */
  MalformedToolCall: "malformed-tool-call",
  /** The provider reports that it failed. */
  Error: "error",
  /** The connection failed or timed out, or the reply ended without a stop reason. */
  Interrupted: "interrupted",
  /** The caller's signal aborted the reply. */
  Aborted: "aborted",
  /** The adapter's table does not list the native stop reason. */
  Unknown: "unknown",
} as const;
export type StopReason = (typeof StopReason)[keyof typeof StopReason];

/** The reasons that a table may claim. The gate finds out `interrupted` and `aborted` by itself. */
export type ClaimedStop = Exclude<StopReason, "interrupted" | "aborted">;
/** The reasons whose turn carries an `error`. */
export type FailedStop =
  | "error"
  | "interrupted"
  | "unknown"
  | "context-window"
  | "malformed-tool-call";
/**
 * `message`: the message without its withheld calls. `text`: the content that is safe to send back,
 * if there is text in it.
 */
export type Keeps = "message" | "text" | "nothing";
/**
 * For each reason: its severity (if there are several, the most severe one counts), and what
 * history keeps of the reply.
 */
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
