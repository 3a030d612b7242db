import {
  type EndedTurn,
  explain,
  type FailedStop,
  type FailedTurn,
  type Message,
  type ProviderError,
  type StopReason,
  type ToolCall,
  type ToolUseTurn,
  type Turn,
  type Usage,
  type WithheldCall,
} from "@fullstop/core";
import type { ReviewedCall } from "./approval.ts";
import { type Limit, limitWords } from "./limits.ts";
import type { Plan } from "./options.ts";
import { endsInRepetition } from "./repetition.ts";

/** What a status brings along. */
export type Ending =
  /** `empty`: the model had nothing to say. */
  | { readonly status: "done"; readonly empty?: true }
  /** The last reply was cut; `withheld` is what arrived of its calls. None of it ran. */
  | { readonly status: "truncated"; readonly withheld: readonly WithheldCall[] }
  | { readonly status: "refused"; readonly by: "model" | "filter" }
  | { readonly status: "failed"; readonly error: ProviderError }
  /** These calls are undecided, and none of the turn has run. `messages` ends before the turn; `turn` and decisions go on with it. */
  | { readonly status: "waiting"; readonly calls: readonly ReviewedCall[] }
  /** The model called this again and again without getting on, or a tool that is not offered; `text` is what it says at the end. */
  | { readonly status: "stuck"; readonly call: ToolCall }
  | { readonly status: "limit"; readonly limit: Limit | "pauses" }
  | { readonly status: "aborted" };

/** How a run ended. */
export type Outcome = {
  /** How it ended. What comes along depends on it. */
  readonly status: Ending["status"];
  /** The whole conversation, in which each call has exactly one result: the next run can start from it. */
  readonly messages: readonly Message[];
  /** The text of the last reply, joined with what it continued. */
  readonly text: string;
  /** How it ended, for a person. */
  readonly summary: string;
  /** The last reply. */
  readonly turn: Turn;
  /** Turns that began, the last one included; attempts at the same turn count once. */
  readonly turns: number;
  /** Of all requests, those whose replies were thrown away included. */
  readonly usage: Usage;
  /** What `price` says of all requests. */
  readonly cost?: number;
  /** What `onEvent` threw, the first time that it did. */
  readonly observerError?: unknown;
} & Ending;

/** `text()` of a run that did not get its answer. Printed, it shows the summary; the whole conversation is in `outcome`. */
export class UnfinishedRun extends Error {
  override readonly name = "UnfinishedRun";
  readonly status: Outcome["status"];
  readonly #outcome: Outcome;

  constructor(outcome: Outcome) {
    super(outcome.summary);
    this.status = outcome.status;
    this.#outcome = outcome;
  }

  get outcome(): Outcome {
    return this.#outcome;
  }
}

/** The turn that a reason goes with. */
export type TurnOf<Reason extends StopReason> = Reason extends "tool-use"
  ? ToolUseTurn
  : Reason extends FailedStop
    ? FailedTurn
    : EndedTurn;
type Endings = { readonly [Reason in StopReason]: (turn: TurnOf<Reason>) => Ending };
const failed = ({ error }: FailedTurn): Ending => ({ status: "failed", error });
const endings: Endings = {
  stop: () => ({ status: "done" }),
  "tool-use": () => ({ status: "limit", limit: "turns" }),
  length: ({ withheld }) => ({ status: "truncated", withheld }),
  "context-window": failed,
  pause: () => ({ status: "limit", limit: "pauses" }),
  refusal: () => ({ status: "refused", by: "model" }),
  "content-filter": () => ({ status: "refused", by: "filter" }),
  "malformed-tool-call": failed,
  error: failed,
  interrupted: failed,
  aborted: () => ({ status: "aborted" }),
  unknown: failed,
};

/** How a run ends of which this is the last reply. */
export const endingOf = (turn: Turn): Ending =>
  (endings[turn.stopReason] as (turn: Turn) => Ending)(turn);

const roomAdvice =
  "The option `compact` makes the conversation smaller, for example `compact: dropOldest`.";

type Summaries = {
  readonly [Status in Ending["status"]]: (
    ending: Extract<Ending, { readonly status: Status }>,
    run: Facts,
  ) => string;
};
interface Facts {
  readonly turn: Turn;
  readonly turns: number;
  readonly plan: Pick<Plan, "limits" | "tools" | "compact">;
}
const inTurns = (turns: number): string => `in ${turns === 1 ? "one turn" : `${turns} turns`}`;
const summaries: Summaries = {
  done: ({ empty }, { turn, turns }) =>
    turn.withheld.length > 0
      ? explain(turn).person
      : `The model finished ${inTurns(turns)}${empty ? " and said nothing" : ""}.`,
  truncated: ({ withheld }, { turn }) => {
    if (withheld.length > 0) return `The answer is not whole. ${explain(turn).person}`;
    if (turn.text.trim() === "")
      return "The model used up the output limit with thinking, before it had said anything.";
    return `The answer is not whole. ${endsInRepetition(turn.text) ? "It ends in one passage, over and over, up to the output limit." : explain(turn).person}`;
  },
  refused: (_, { turn }) => explain(turn).person,
  failed: ({ error }, { turn, plan }) => {
    const said = "error" in turn && turn.error === error ? explain(turn).person : error.message;
    return turn.stopReason === "context-window" && plan.compact === undefined
      ? `${said} ${roomAdvice}`
      : said;
  },
  waiting: ({ calls }) =>
    `The run waits for a decision about ${calls.map(({ name }) => name).join(", ")}.`,
  limit: ({ limit }, { turn, plan: { limits } }) => {
    if (limit === "pauses")
      return `The provider paused its turn ${turn.message ? "too often" : "and gave nothing to go on from"}.`;
    if (limit !== "deadlineMs") return `The run used its ${limitWords(limit, limits)}.`;
    return `The run reached its ${limitWords(limit, limits)} ${turn.calls.length > 0 ? "while tools ran" : "while it waited for the model"}.`;
  },
  stuck: ({ call: { name } }, { plan }) =>
    plan.tools.has(name)
      ? `The model repeated itself without getting anywhere, last with ${name}, and was stopped.`
      : `The model kept calling ${name}, which is not among \`tools\`, and was stopped.`,
  aborted: (_, { turns }) => `The run was aborted ${inTurns(turns)}.`,
};
export const summaryOf = (ending: Ending, run: Facts): string =>
  (summaries[ending.status] as (ending: Ending, run: Facts) => string)(ending, run);
