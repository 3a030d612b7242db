import type { ErrorKind } from "./error.ts";

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

/** What a table may say: `interrupted` and `aborted` are found by the gate, never claimed. */
export type ClaimedStop = Exclude<StopReason, "interrupted" | "aborted">;
/** The reasons whose turn carries an `error`. */
export type FailedStop =
  | "error"
  | "interrupted"
  | "unknown"
  | "context-window"
  | "malformed-tool-call";
/** `null` is a known word that is no ending (`in_progress`); `calls: "never"` an ending after which no call runs (`stop_sequence`). */
export type Claim =
  | ClaimedStop
  | null
  | { readonly stop: ClaimedStop; readonly calls?: "never"; readonly error?: ErrorKind };
/**
 * Native word, or `word:detail`, to claim; the longer match wins.
 * `Words` is the SDK's own union, so that a value new to the SDK fails to compile.
 */
export type StopTable<Words extends string = never> = Readonly<Record<string, Claim>> &
  Readonly<Record<Words, Claim>>;

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

/** A claim in its long form. */
export interface Claimed {
  readonly stop: ClaimedStop;
  readonly calls?: "never";
  readonly error?: ErrorKind;
}

/** `null`, `""` and `"null"` are what hosts send in place of a word. */
export const isWord = (native: unknown): native is string =>
  typeof native === "string" && native.trim() !== "" && native !== "null";

/** What the table says of a native word; `undefined` where it is no ending. An unlisted word is `unknown`. */
export function readStop(stops: StopTable, native: string, detail?: unknown): Claimed | undefined {
  if (!isWord(native)) return undefined;
  const specific = `${native}:${String(detail)}`;
  const key = typeof detail === "string" && Object.hasOwn(stops, specific) ? specific : native;
  if (!Object.hasOwn(stops, key)) return { stop: "unknown", error: "unknown-stop" };
  const claim = stops[key];
  if (claim === null || claim === undefined) return undefined;
  return typeof claim === "string" ? { stop: claim } : claim;
}
