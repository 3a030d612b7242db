import { errorRules, type ProviderError } from "../contract/error.ts";
import type { WithheldReason } from "../contract/turn.ts";
import type { Input } from "../reply/inputs.ts";
import { stands } from "../reply/stop-state.ts";
import { belowCap, towardCap, windowFilled } from "./cap.ts";
import { missing } from "./missing.ts";
import type { Failure, Reply } from "./reply.ts";

export type RuleName =
  | "notAborted"
  | "noError"
  | "readable"
  | "arrived"
  | "ended"
  | "claimed"
  | "callsMayFollow"
  | "belowCap"
  | "closed"
  | "named"
  | "notMissing"
  | "whole"
  | "askedFor";
type Rule = (reply: Reply) => Failure | undefined;

const byError = (why: WithheldReason, error: ProviderError | undefined): Failure | undefined =>
  error && { reason: why, stop: errorRules[error.kind].stop, error };

const first = (
  inputs: readonly Input[],
  check: (input: Input) => Failure | undefined,
): Failure | undefined => {
  for (const input of inputs) {
    const failure = check(input);
    if (failure !== undefined) return failure;
  }
  return undefined;
};

/** What a reply must be for its calls to run, in the order of judging: the first rule that fails says why nothing does. */
export const rules: Readonly<Record<RuleName, Rule>> = {
  notAborted: ({ aborted }) => (aborted ? { reason: "aborted", stop: "aborted" } : undefined),
  noError: ({ error }) => byError("error", error),
  readable: ({ malformed }) => byError("malformed-frame", malformed),
  arrived: ({ lost, stopState }) =>
    stopState === "final" ? undefined : byError("no-terminal", lost),
  ended: ({ stopState }) =>
    stands(stopState) ? undefined : { reason: "no-terminal", stop: "interrupted" },
  claimed: (reply) => {
    const { stop = "stop" } = reply.claim ?? {};
    if (stop === "stop" || stop === "tool-use") return undefined;
    return (stop === "length" ? windowFilled(reply) : undefined) ?? { reason: "stop-reason", stop };
  },
  callsMayFollow: ({ claim, noCalls, inputs }) =>
    noCalls && inputs.length > 0
      ? {
          reason: "stop-sequence",
          stop: claim?.stop === "tool-use" ? "malformed-tool-call" : "stop",
        }
      : undefined,
  belowCap,
  closed: ({ reader, inputs }) =>
    reader.toolInputEnd === "explicit" && inputs.some((input) => !input.closed)
      ? { reason: "not-closed", stop: "malformed-tool-call" }
      : undefined,
  named: ({ inputs }) =>
    inputs.some((input) => input.name === undefined)
      ? { reason: "no-name", stop: "malformed-tool-call" }
      : undefined,
  notMissing: (reply) => first(reply.inputs, (input) => missing(input, reply)),
  whole: (reply) =>
    first(reply.inputs, (input) => {
      const parsed = reply.parse(input);
      if ("input" in parsed) return undefined;
      const cutByCap = parsed.reason === "input-cut" && towardCap(reply) === undefined;
      return { reason: parsed.reason, stop: cutByCap ? "length" : "malformed-tool-call" };
    }),
  askedFor: ({ claim, inputs, openServerCalls }) => {
    if (claim?.stop !== "tool-use" || inputs.length > 0) return undefined;
    return { reason: "input-missing", stop: openServerCalls > 0 ? "pause" : "malformed-tool-call" };
  },
};

export function judge(reply: Reply): Failure | undefined {
  for (const rule of Object.values<Rule>(rules)) {
    const failure = rule(reply);
    if (failure !== undefined) return failure;
  }
  return undefined;
}
