import type { Adapter, TurnRequest } from "./adapter.ts";
import type { ParsedInput } from "./calls.ts";
import { errorRules, type ProviderError } from "./error.ts";
import { type Input, inputText } from "./inputs.ts";
import type { Usage } from "./message.ts";
import type { Claimed, StopReason } from "./stop.ts";
import type { WithheldReason } from "./turn.ts";

/** All of a reply that the rules look at. */
export interface Reply {
  readonly adapter: Adapter;
  readonly request: Partial<Pick<TurnRequest, "maxTokens" | "messages" | "tools">>;
  readonly aborted: boolean;
  /** The provider says inside the reply that it failed, or answered with an error instead of a reply. */
  readonly error: ProviderError | undefined;
  /** A frame or an event that cannot be read, or contradicts what came before. */
  readonly malformed: ProviderError | undefined;
  /** The transport failed. */
  readonly lost: ProviderError | undefined;
  /** The most severe word that was said, standing or not. */
  readonly claim: Claimed | undefined;
  /** A word stands: nothing un-said it, and the protocol's own end is not still to come. */
  readonly standing: boolean;
  /** The protocol's own end came. */
  readonly ended: boolean;
  readonly noCalls: boolean;
  readonly usage: Partial<Usage>;
  readonly inputs: readonly Input[];
  readonly openServerCalls: number;
  readonly parse: (input: Input) => ParsedInput;
}

/** Why nothing of a reply may run, and the reason it gets unless the provider claims a worse one. */
export interface Failure {
  readonly why: WithheldReason;
  readonly stop: Exclude<StopReason, "tool-use">;
  readonly error?: ProviderError | undefined;
}
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

/** What counts against the cap; undefined where no usage came or the two cannot be compared. An input of no tokens was not counted. */
const towardCap = ({ usage }: Reply): number | undefined => (usage.towardCap === undefined ? usage.output : usage.towardCap) || undefined;

const byError = (why: WithheldReason, error: ProviderError | undefined): Failure | undefined =>
  error && { why, stop: errorRules[error.kind].stop, error };

const first = (inputs: readonly Input[], check: (input: Input) => Failure | undefined): Failure | undefined => {
  for (const input of inputs) {
    const failure = check(input);
    if (failure !== undefined) return failure;
  }
  return undefined;
};

/** A keyword that lets no property into an object. */
const isBare = (key: string, value: unknown): boolean => {
  if (key === "additionalProperties") return value === false;
  const empty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
  return ["properties", "required"].includes(key) ? empty : ["type", "title", "description", "$schema"].includes(key);
};

/** Does the offered tool take properties? One that is not known may. */
const takesProperties = ({ request }: Reply, name: string | undefined): boolean => {
  const spec = request.tools?.find((tool) => tool.name === name && "inputSchema" in tool);
  if (spec === undefined || !("inputSchema" in spec) || spec.inputSchema === "text") return true;
  return Object.entries(spec.inputSchema).some(([key, value]) => !isBare(key, value));
};

/** What a reply must be for its calls to run, in the order of judging: the first rule that fails says why nothing does. */
export const rules: Readonly<Record<RuleName, Rule>> = {
  notAborted: ({ aborted }) => (aborted ? { why: "aborted", stop: "aborted" } : undefined),
  noError: ({ error }) => byError("error", error),
  readable: ({ malformed }) => byError("malformed-frame", malformed),
  arrived: ({ lost, ended }) => (ended ? undefined : byError("no-terminal", lost)),
  ended: ({ standing }) => (standing ? undefined : { why: "no-terminal", stop: "interrupted" }),
  claimed: ({ claim }) =>
    claim === undefined || claim.stop === "stop" || claim.stop === "tool-use" ? undefined : { why: "stop-reason", stop: claim.stop },
  callsMayFollow: ({ claim, noCalls, inputs }) =>
    noCalls && inputs.length > 0 ? { why: "stop-sequence", stop: claim?.stop === "tool-use" ? "malformed-tool-call" : "stop" } : undefined,
  belowCap: (reply) => {
    const { maxTokens: cap } = reply.request;
    const counted = towardCap(reply);
    if (reply.inputs.length === 0) return undefined;
    if (reply.adapter.relabels && (cap === undefined || counted === undefined)) return { why: "cap-unproven", stop: "length" };
    return cap !== undefined && counted !== undefined && counted >= cap ? { why: "cap-reached", stop: "length" } : undefined;
  },
  closed: ({ adapter, inputs }) =>
    adapter.completes === "per-call" && inputs.some((input) => !input.closed)
      ? { why: "not-closed", stop: "malformed-tool-call" }
      : undefined,
  named: ({ inputs }) => (inputs.some((input) => input.name === undefined) ? { why: "no-name", stop: "malformed-tool-call" } : undefined),
  notMissing: (reply) =>
    first(reply.inputs, (input) => {
      const proven = input.closed || input.kind === "text" || towardCap(reply) !== undefined;
      if (proven || inputText(input) !== "" || !takesProperties(reply, input.name)) return undefined;
      return { why: "input-missing", stop: "malformed-tool-call" };
    }),
  whole: (reply) =>
    first(reply.inputs, (input) => {
      const parsed = reply.parse(input);
      if ("input" in parsed) return undefined;
      const cutByCap = parsed.why === "input-cut" && towardCap(reply) === undefined;
      return { why: parsed.why, stop: cutByCap ? "length" : "malformed-tool-call" };
    }),
  askedFor: ({ claim, inputs, openServerCalls }) => {
    if (claim?.stop !== "tool-use" || inputs.length > 0) return undefined;
    return { why: "input-missing", stop: openServerCalls > 0 ? "pause" : "malformed-tool-call" };
  },
};

export function judge(reply: Reply): Failure | undefined {
  for (const rule of Object.values<Rule>(rules)) {
    const failure = rule(reply);
    if (failure !== undefined) return failure;
  }
  return undefined;
}
