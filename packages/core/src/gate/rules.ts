import { errorRules, type ProviderError } from "../contract/error.ts";
import type { RuleName, RuleResult, WithheldReason } from "../contract/turn.ts";
import type { Input } from "../reply/inputs.ts";
import { isStopValid } from "../reply/stop-state.ts";
import { belowCap, contextWindowFull, hasPayload, towardCap } from "./cap.ts";
import { missingInput } from "./missing.ts";
import { cutOutput } from "./output.ts";
import type { Failure, Reply } from "./reply.ts";

type Rule = (reply: Reply) => Failure | undefined;

const failureOf = (reason: WithheldReason, error: ProviderError | undefined): Failure | undefined =>
  error && { reason, stop: errorRules[error.kind].stop, error };

const firstInputFailure = (
  inputs: readonly Input[],
  check: (input: Input) => Failure | undefined,
): Failure | undefined => {
  for (const input of inputs) {
    const failure = check(input);
    if (failure !== undefined) return failure;
  }
  return undefined;
};

/** What a reply must fulfil before its calls may run. The first rule that fails counts. */
export const rules: Readonly<Record<RuleName, Rule>> = {
  notAborted: ({ aborted }) => (aborted ? { reason: "aborted", stop: "aborted" } : undefined),
  noProviderError: ({ providerError }) => failureOf("error", providerError),
  readable: ({ parseError }) => failureOf("malformed-frame", parseError),
  transportIntact: ({ transportError, stopState }) =>
    stopState === "final" ? undefined : failureOf("no-terminal", transportError),
  ended: ({ stopState }) =>
    isStopValid(stopState) ? undefined : { reason: "no-terminal", stop: "interrupted" },
  finished: (reply) => {
    const { stop = "stop" } = reply.claim ?? {};
    if (stop === "stop" || stop === "tool-use") return undefined;
    return (
      (stop === "length" ? contextWindowFull(reply) : undefined) ?? { reason: "stop-reason", stop }
    );
  },
  callsPermitted: ({ claim, callsForbidden, inputs, request }) =>
    callsForbidden && hasPayload({ inputs, request })
      ? {
          reason: "stop-sequence",
          stop: claim?.stop === "tool-use" ? "malformed-tool-call" : "stop",
          detail:
            "Remove the stop sequences of the request (`params`), or choose ones that no call contains.",
        }
      : undefined,
  belowCap,
  inputsClosed: ({ reader, inputs }) =>
    reader.toolInputEnd === "explicit" && inputs.some((input) => !input.closed)
      ? { reason: "not-closed", stop: "malformed-tool-call" }
      : undefined,
  callsNamed: ({ inputs }) =>
    firstInputFailure(inputs, ({ name }) => {
      if (name !== undefined && !name.includes("<|")) return undefined;
      const reason = name === undefined ? "no-name" : "name-damaged";
      return { reason, stop: "malformed-tool-call" };
    }),
  inputsNotMissing: (reply) =>
    firstInputFailure(reply.inputs, (input) => missingInput(input, reply)),
  inputsValid: (reply) =>
    firstInputFailure(reply.inputs, (input) => {
      const parsed = reply.parse(input);
      if ("input" in parsed) return undefined;
      const cutByCap = parsed.reason === "input-cut" && towardCap(reply) === undefined;
      return { reason: parsed.reason, stop: cutByCap ? "length" : "malformed-tool-call" };
    }) ?? cutOutput(reply),
  hasRequestedCall: ({ claim, inputs, openServerCalls }) => {
    if (claim?.stop !== "tool-use" || inputs.length > 0) return undefined;
    return { reason: "no-call", stop: openServerCalls > 0 ? "pause" : "malformed-tool-call" };
  },
};

export interface Judgement {
  readonly results: readonly RuleResult[];
  readonly failure: Failure | undefined;
}

export function judge(reply: Reply): Judgement {
  let decisive: Failure | undefined;
  const results = Object.entries<Rule>(rules).map(([name, check]): RuleResult => {
    const failure = check(reply);
    const isFirst = failure !== undefined && decisive === undefined;
    decisive ??= failure;
    return toResult(name as RuleName, failure, isFirst);
  });
  return { results, failure: decisive };
}

function toResult(rule: RuleName, failure: Failure | undefined, isFirst: boolean): RuleResult {
  if (failure === undefined) return { rule, passed: true };
  const { reason, detail } = failure;
  return {
    rule,
    passed: false,
    ...(isFirst && { decisive: true }),
    reason,
    ...(detail !== undefined && { detail }),
  };
}
