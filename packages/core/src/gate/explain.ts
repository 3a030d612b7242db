import type { ErrorKind, ProviderError } from "../contract/error.ts";
import type { StopReason } from "../contract/stop.ts";
import type { ToolUseTurn, Turn, WithheldReason } from "../contract/turn.ts";
import { isUnreachable } from "../transport/unreachable.ts";

/** What a rule found, as the end of a sentence about a reply. */
export const whyWords: Readonly<Record<WithheldReason, string>> = {
  aborted: "it was aborted",
  error: "the provider reported an error",
  "malformed-frame": "part of it could not be read",
  "no-terminal": "it ended before the provider said that it was complete",
  "stop-reason": "the provider ended it before the tool call was due to run",
  "stop-sequence": "a stop sequence ended it",
  "cap-reached": "it used up the output limit, whatever the provider calls its ending",
  "cap-unproven":
    "this host is known to mislabel truncated replies, and nothing shows that the output limit was not reached",
  "not-closed": "the provider never said that the tool input was complete",
  "no-name": "a tool call came without a name",
  "input-missing": "the tool input is empty, and a part of it may be missing",
  "input-cut": "the tool input arrived incomplete",
  "invalid-json": "the tool input is not valid JSON",
  "not-an-object": "the tool input is not a JSON object",
  "number-too-large": "the tool input holds a number that would be rounded",
  unsupported: "the tool input holds a `__proto__` key",
};

/** What the model can do about a finding. */
const adviceForModel: Readonly<Partial<Record<WithheldReason, string>>> = {
  "number-too-large": "Send a number with more than 15 digits as a string.",
};

interface Words {
  readonly person: string;
  readonly model: string;
}
const reasonWords: Readonly<Record<Exclude<StopReason, "tool-use">, Words>> = {
  stop: { person: "The model finished.", model: "Your reply is complete." },
  length: {
    person: "The reply was cut at the output limit.",
    model: "Your reply was cut off at the output limit.",
  },
  "context-window": {
    person: "The context window is full.",
    model: "The conversation no longer fits the context window.",
  },
  pause: {
    person: "The provider paused the turn and continues it when it is sent back.",
    model: "Your turn was paused.",
  },
  refusal: { person: "The model declined to answer.", model: "Your reply ended in a refusal." },
  "content-filter": {
    person: "A content filter stopped the reply.",
    model: "Your reply was stopped by a content filter.",
  },
  "malformed-tool-call": {
    person: "The model wrote a tool call that cannot be used.",
    model: "Your tool call could not be used.",
  },
  error: { person: "The request failed.", model: "The provider failed while you were replying." },
  interrupted: {
    person: "The reply was lost on its way.",
    model: "Your reply was lost on its way.",
  },
  aborted: { person: "The turn was aborted.", model: "Your reply was aborted." },
  unknown: {
    person: "The provider ended the reply with a word that is not known.",
    model: "Your reply ended for a reason that is not known.",
  },
};
/** What interrupted a reply, where more is known than that. */
const lossWords: Readonly<Partial<Record<ErrorKind, Words>>> = {
  network: {
    person: "The connection ended before the reply did.",
    model: "The connection was lost before your reply ended.",
  },
  cut: {
    person: "The connection ended before the reply did.",
    model: "The connection was lost before your reply ended.",
  },
  timeout: {
    person: "The provider fell silent before the reply ended.",
    model: "The connection was lost before your reply ended.",
  },
  "malformed-reply": {
    person: "The reply could not be read.",
    model: "Your reply arrived damaged.",
  },
  "too-large": { person: "The reply is too large to be read.", model: "Your reply is too large." },
};

const unreachableWords: Words = {
  person: "The provider could not be reached.",
  model: "The provider could not be reached.",
};

/** Of a reply that ended otherwise: what was begun in it is not undone. */
const effectsWords: Words = {
  person: "A tool that the provider runs itself had begun: what it did stands.",
  model:
    "A tool that was run for you had begun, and what it did stands: check before you repeat it.",
};
const goesWell: ReadonlySet<StopReason> = new Set(["stop", "pause"]);

/** Findings that a reason's own sentence, or its error, already tells. */
const told: ReadonlySet<WithheldReason> = new Set(["aborted", "error", "stop-reason"]);

const ended = (words: string): string => (/[.!?…]$/.test(words) ? words : `${words}.`);
export const sentence = (words: string): string =>
  `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

const join = (...parts: readonly (string | undefined)[]): string =>
  parts
    .filter((part) => part !== undefined)
    .map(ended)
    .join(" ");

function explainCalls({ calls }: ToolUseTurn): Words {
  const names = calls.map((call) => call.name).join(", ");
  if (calls[0].by === "loop") {
    return {
      person: `The call of ${names} was cut; its tool went on with what had arrived.`,
      model: `Your call of ${names} was cut; the tool went on with what had arrived.`,
    };
  }
  return {
    person: `The model finished and calls ${names}.`,
    model: `Your tool calls (${names}) are complete.`,
  };
}

/** What happened, in a few sentences: for a person, and for the model that wrote the reply. */
export function explain(turn: Turn): Words {
  if (turn.stopReason === "tool-use") return explainCalls(turn);
  const words =
    (turn.stopReason === "interrupted" ? lossOf(turn.error) : undefined) ??
    reasonWords[turn.stopReason];
  const effects = turn.sideEffects && !goesWell.has(turn.stopReason) ? effectsWords : undefined;
  const { because, detail, advice, names } = heldBack(turn);
  return {
    person: join(
      words.person,
      ...("error" in turn ? [turn.error.message] : [because, detail]),
      names && `Held back ${names}; nothing of it ran.`,
      effects?.person,
    ),
    model: join(
      words.model,
      because,
      advice,
      names && `None of its tool calls (${names}) was run.`,
      effects?.model,
    ),
  };
}

const lossOf = (error: ProviderError): Words | undefined =>
  isUnreachable(error) ? unreachableWords : lossWords[error.kind];

/** What is said of calls that were withheld. */
function heldBack({
  withheld,
}: Turn): Readonly<Partial<Record<"because" | "detail" | "advice" | "names", string | undefined>>> {
  const [held] = withheld;
  if (held === undefined) return {};
  return {
    because: told.has(held.reason) ? undefined : sentence(whyWords[held.reason]),
    detail: held.detail,
    advice: adviceForModel[held.reason],
    names: withheld.map((call) => call.name ?? "a tool without a name").join(", "),
  };
}
