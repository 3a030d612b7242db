import { explain, type ProviderError, type Turn } from "@fullstop/core";
import type { Origin } from "@fullstop/core/adapter";
import type { RunConfig } from "./config/run-config.ts";
import type { Ending } from "./contract/outcome.ts";
import type { ReviewedCall } from "./contract/ports.ts";
import { describeLimit } from "./recovery/limits.ts";
import { endsInRepetition } from "./turn/repetition.ts";
import { raisedCap, type TruncationState } from "./turn/truncation-state.ts";

interface RunFacts {
  readonly turn: Turn;
  readonly turns: number;
  readonly config: Pick<RunConfig, "limits" | "tools" | "recovery" | "output">;
  readonly truncation: TruncationState;
  /** The adapters that were asked in the last turn, in this order. */
  readonly asked: readonly Origin[];
  /** The journal of the run did not open. */
  readonly isUnopened: boolean;
}
type Summaries = {
  readonly [Status in Ending["status"]]: (
    ending: Extract<Ending, { readonly status: Status }>,
    facts: RunFacts,
  ) => string;
};

const compactAdvice =
  "The option `recovery.compact` makes the conversation smaller, for example `recovery: { compact: dropOldest }`.";
const withoutFullStop = (issue: string): string => issue.replace(/\.$/, "");
const inTurns = (turns: number): string => `in ${turns === 1 ? "one turn" : `${turns} turns`}`;

const summaries: Summaries = {
  done: ({ empty, leakedCall }, { turn, turns }) => {
    const finished = `The model finished ${inTurns(turns)}${empty ? " and said nothing" : ""}.`;
    return leakedCall === undefined ? finished : `${finished} ${explain(turn).person}`;
  },
  stopped: (_, { turns }) => `The run was stopped by \`stopWhen\` ${inTurns(turns)}.`,
  "invalid-output": ({ issues }) =>
    `The model finished, but its answer does not fit \`output\`: ${issues.map(withoutFullStop).join("; ")}.`,
  truncated: ({ withheld, cause }, { turn, config }) => {
    if (withheld.length > 0) return `The answer is not complete. ${explain(turn).person}`;
    if (cause === "thinking")
      return "The model reached the output limit before it wrote a text or a whole call. It may have used the limit for thinking.";
    if (endsInRepetition(turn.text))
      return "The answer is not complete. It repeats one passage up to the output limit.";
    const evidence = config.output && turn.rules?.find(({ decisive }) => decisive)?.detail;
    const sentences = ["The answer is not complete.", explain(turn).person, evidence];
    return sentences.filter((sentence) => sentence !== undefined).join(" ");
  },
  refused: (_, { turn }) => explain(turn).person,
  failed: ({ error }, { turn, config, asked }) => {
    const isOfTurn = "error" in turn && turn.error === error;
    const said = isOfTurn ? explain(turn).person : error.message;
    const reason = describeAsked(asked) + said + describeWait(error);
    return turn.stopReason === "context-window" && config.recovery.compact === undefined
      ? `${reason} ${compactAdvice}`
      : reason;
  },
  waiting: ({ calls }) => `The run waits for ${describeNeeds(calls)}.`,
  limit: ({ limit }, { turn, isUnopened, config: { limits } }) => {
    if (limit === "pauses")
      return turn.message
        ? "The provider paused its turn too often."
        : "The provider paused its turn and sent no content to continue from.";
    const reached = `The run reached its ${describeLimit(limit, limits)}`;
    if (limit !== "deadlineMs") return `${reached}.`;
    if (isUnopened) return `${reached} while it waited for the journal.`;
    return `${reached} while ${turn.calls.length > 0 ? "tools ran" : "it waited for the model"}.`;
  },
  stuck: ({ call: { name } }, { config }) =>
    config.tools.has(name)
      ? `The run was stopped: the model repeated itself without progress, the last time with ${name}.`
      : `The run was stopped: the model repeatedly called ${name}, which is not in \`tools\`.`,
  aborted: (_, { turns }) => `The run was aborted ${inTurns(turns)}.`,
};

const needTexts: Readonly<Record<ReviewedCall["needs"], string>> = {
  decision: "a decision about",
  result: "a result of",
  settlement: "a settlement of",
  input: "an input for",
};
const describeNeeds = (calls: readonly ReviewedCall[]): string =>
  (Object.keys(needTexts) as ReviewedCall["needs"][])
    .map((needs) => ({ needs, names: calls.filter((call) => call.needs === needs) }))
    .filter(({ names }) => names.length > 0)
    .map(({ needs, names }) => `${needTexts[needs]} ${names.map(({ name }) => name).join(", ")}`)
    .join(", and ");

/** A wait that is longer than `recovery.maxWaitMs`, or that did not help. */
const describeWait = ({ retryAfterMs = 0 }: ProviderError): string =>
  retryAfterMs > 0
    ? ` The provider asks to wait ${Math.ceil(retryAfterMs / 1000).toLocaleString("en-US")} s before the next request.`
    : "";

/** A chain of fallbacks: the error is that of the last one only. */
function describeAsked(asked: readonly Origin[]): string {
  if (asked.length < 2) return "";
  const names = asked.map(({ provider, model }) => `${provider} (${model})`);
  return `None of ${names.slice(0, -1).join(", ")} and ${names.at(-1)} gave a usable reply. The last one: `;
}

/** A larger cap costs more than the program asked for, so each summary says it. */
function describeRaisedCap({ truncation }: RunFacts): string {
  const cap = raisedCap(truncation);
  if (cap === undefined) return "";
  const { raiseCount } = truncation;
  const times = ["", "once", "twice"][raiseCount] ?? `${raiseCount} times`;
  return ` The output cap was raised ${times}, to ${cap.toLocaleString("en-US")} tokens.`;
}

export const summaryOf = (ending: Ending, facts: RunFacts): string =>
  (summaries[ending.status] as (ending: Ending, facts: RunFacts) => string)(ending, facts) +
  describeRaisedCap(facts);
