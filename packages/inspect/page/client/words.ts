import type { RuleResult, StopReason } from "@fullstop/core";
import type { Outcome, Recovery } from "@fullstop/loop";
import type { CallState, InputView, ReplyView } from "../../src/view/view.ts";

/** What each rule of the gate requires. */
export const ruleWords: Readonly<Record<RuleResult["rule"], string>> = {
  notAborted: "The caller does not abort it",
  noProviderError: "The provider reports no error",
  readable: "Every frame can be read",
  transportIntact: "The connection lasts to the end",
  ended: "The protocol's own end comes, with a stop reason",
  finished: "The stop reason says that the model finished",
  callsPermitted: "Calls may run after this stop reason",
  belowCap: "The usage stays below the output cap",
  inputsClosed: "The protocol closes each input",
  callsNamed: "Each call has a name",
  inputsNotMissing: "No required input is missing",
  inputsValid: "Each input is strict JSON",
  hasRequestedCall: "If the stop reason asks for tools, there is a call",
};

/** Colour and word of a state. The word is always shown: colour alone has no meaning. */
export type Tone = "granted" | "withheld" | "doubt" | "failed" | "plain" | "busy";

export interface Status {
  readonly tone: Tone;
  readonly word: string;
}

const endWords: Readonly<Record<StopReason, Status>> = {
  stop: { tone: "plain", word: "finished" },
  "tool-use": { tone: "granted", word: "granted" },
  length: { tone: "failed", word: "cut" },
  "context-window": { tone: "failed", word: "window full" },
  pause: { tone: "plain", word: "paused" },
  refusal: { tone: "failed", word: "refused" },
  "content-filter": { tone: "failed", word: "filtered" },
  "malformed-tool-call": { tone: "failed", word: "malformed" },
  error: { tone: "failed", word: "failed" },
  interrupted: { tone: "failed", word: "interrupted" },
  aborted: { tone: "failed", word: "aborted" },
  unknown: { tone: "failed", word: "unknown stop" },
};

export const isWithheld = (input: InputView): boolean => input.verdict === "withheld";

export function replyStatus({ verdict, inputs, endedAt }: ReplyView): Status {
  if (inputs.some(isWithheld)) return { tone: "withheld", word: "withheld" };
  if (verdict !== undefined) return endWords[verdict.stopReason];
  return { tone: "busy", word: endedAt === undefined ? "arriving" : "not judged" };
}

export const callWords: Readonly<Record<CallState, Status>> = {
  issued: { tone: "plain", word: "issued" },
  waiting: { tone: "doubt", word: "waiting" },
  running: { tone: "busy", word: "running" },
  done: { tone: "granted", word: "done" },
  failed: { tone: "failed", word: "error" },
  "not-run": { tone: "withheld", word: "not run" },
  "in-doubt": { tone: "doubt", word: "in doubt" },
  "timed-out": { tone: "doubt", word: "timed out, in doubt" },
};

export const outcomeWords: Readonly<Record<Outcome["status"], Status>> = {
  done: { tone: "granted", word: "done" },
  stopped: { tone: "plain", word: "stopped" },
  "invalid-output": { tone: "failed", word: "invalid output" },
  truncated: { tone: "failed", word: "truncated" },
  refused: { tone: "failed", word: "refused" },
  failed: { tone: "failed", word: "failed" },
  waiting: { tone: "doubt", word: "waiting" },
  stuck: { tone: "failed", word: "stuck" },
  limit: { tone: "failed", word: "limit reached" },
  aborted: { tone: "failed", word: "aborted" },
};

/** What the loop did next. */
export const recoveryWords: Readonly<Record<Recovery, string>> = {
  "raise-cap": "Requested the turn again with a larger output cap",
  "less-effort": "Requested the turn again with less thinking",
  retry: "Sent the same request again",
  "tell-model": "Told the model what was wrong",
  continue: "Asked the model to continue the text that was cut",
  resume: "Sent the paused turn back to the provider",
  salvage: "Ran the tool with the part of the input that arrived",
  stuck: "Did not run calls that only repeat earlier ones",
  compact: "Made the conversation smaller",
  fallback: "Asked the fallback adapter",
};

export const decisiveRule = (rules: readonly RuleResult[]): RuleResult | undefined =>
  rules.find((result) => result.decisive === true && !result.passed);
