import type { ErrorKind, ProviderError } from "../contract/error.ts";
import type { StopReason } from "../contract/stop.ts";
import type { LeakedCall, ToolUseTurn, Turn, WithheldReason } from "../contract/turn.ts";
import { checkGiven } from "../options/check-given.ts";
import { isUnreachable } from "../transport/unreachable.ts";

/** What each rule found: the end of a sentence about a reply. */
export const findings: Readonly<Record<WithheldReason, string>> = {
  aborted: "it was aborted",
  error: "the provider reported an error",
  "malformed-frame": "part of it could not be read",
  "no-terminal": "it ended before the provider said that it was complete",
  "stop-reason": "its stop reason permits no tool calls",
  "stop-sequence": "a stop sequence ended it",
  "cap-reached": "it reached the output limit, although the provider reported another stop reason",
  "cap-unproven":
    "this host is known to mislabel truncated replies, and nothing shows that the output limit was not reached",
  "not-closed": "the provider never said that the tool input was complete",
  "no-name": "a tool call came without a name",
  "name-damaged": "the name of a tool call holds special tokens of the model",
  "no-call": "the provider reported a tool call, but none came",
  "input-missing": "the tool input is empty, and a part of it may be missing",
  "input-cut": "the tool input arrived incomplete",
  "invalid-json": "the tool input is not valid JSON",
  "not-an-object": "the tool input is not a JSON object",
  "number-too-large": "the tool input holds a number that would be rounded",
  unsupported: "the tool input holds a `__proto__` key",
};

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
    person: "The reply did not arrive completely.",
    model: "Your reply did not arrive completely.",
  },
  aborted: { person: "The turn was aborted.", model: "Your reply was aborted." },
  unknown: {
    person: "The provider ended the reply for an unknown reason.",
    model: "Your reply ended for an unknown reason.",
  },
};
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
    person: "The provider stopped sending before the reply ended.",
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

/** A stop sequence cut a call. Without a call it ends the reply as the caller asked. */
const stopSequenceWords: Words = {
  person: "A stop sequence ended the reply.",
  model: "A stop sequence ended your reply.",
};

/** Added if a reply did not end well: its side effects are not undone. */
const sideEffectWords: Words = {
  person: "A tool that the provider runs had already started. Its effects remain.",
  model:
    "A tool that ran for you had already started, and its effects remain. Check them before you repeat it.",
};
const endsWell: ReadonlySet<StopReason> = new Set(["stop", "pause"]);

/** Findings that the sentence of the stop reason, or the error, already explains. */
const alreadyExplained: ReadonlySet<WithheldReason> = new Set([
  "aborted",
  "error",
  "stop-reason",
  "stop-sequence",
]);

const withFullStop = (words: string): string => (/[.!?…]$/.test(words) ? words : `${words}.`);
export const toSentence = (words: string): string =>
  `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

const join = (...parts: readonly (string | undefined)[]): string =>
  parts
    .filter((part) => part !== undefined)
    .map(withFullStop)
    .join(" ");

function explainCalls({ calls }: ToolUseTurn): Words {
  const names = calls.map((call) => call.name).join(", ");
  if (calls[0].by === "loop") {
    return {
      person: `The call of ${names} was cut; its tool continued with the part that had arrived.`,
      model: `Your call of ${names} was cut; the tool continued with the part that had arrived.`,
    };
  }
  return {
    person: `The model finished and calls ${names}.`,
    model: `Your tool calls (${names}) are complete.`,
  };
}

/** The sentences about a call that was written as text. If the reply was cut, they follow `words`. */
function leakWords({ name, in: place }: LeakedCall, reason: StopReason, words: Words): Words {
  const called = `a call of ${shortName(name)}`;
  const isText = place === "text";
  const leak: Words = {
    person: `The model wrote ${called} ${isText ? "as text" : "in its thinking"}, so the call did not run.`,
    model: `You wrote ${called} ${isText ? "as text" : "in your thinking"}, so it did not run.`,
  };
  return reason === "length" || reason === "context-window"
    ? { person: join(words.person, leak.person), model: join(words.model, leak.model) }
    : leak;
}

/** What happened, in a few sentences: for a person, and for the model that wrote the reply. */
export function explain(turn: Turn): Words {
  checkGiven(turn?.withheld, "explain", "a turn, such as the result of `readTurn`");
  if (turn.stopReason === "tool-use") return explainCalls(turn);
  const isCutBySequence = turn.withheld[0]?.reason === "stop-sequence";
  const plain =
    (isCutBySequence ? stopSequenceWords : undefined) ??
    (turn.stopReason === "interrupted" ? lossOf(turn.error) : undefined) ??
    reasonWords[turn.stopReason];
  const { leakedCall } = turn;
  const words = leakedCall === undefined ? plain : leakWords(leakedCall, turn.stopReason, plain);
  const effects = turn.sideEffects && !endsWell.has(turn.stopReason) ? sideEffectWords : undefined;
  const { because, detail, advice, names } = withheldParts(turn);
  return {
    person: join(
      words.person,
      ...("error" in turn && !isCutBySequence && leakedCall === undefined
        ? [turn.error.message]
        : [because, detail]),
      names && `Held back ${names}; ${nothingRan(turn.withheld)}.`,
      effects?.person,
    ),
    model: join(
      words.model,
      because,
      advice,
      names && `None of your tool calls (${names}) ran.`,
      effects?.model,
    ),
  };
}

const lossOf = (error: ProviderError): Words | undefined =>
  isUnreachable(error) ? unreachableWords : lossWords[error.kind];

/** A model writes names, so there may be very many, and very long ones. */
const namedCalls = 8;
const longestName = 64;

/** Special tokens in a name are left out: a model that reads them writes them again. */
function shortName(written: string): string {
  const [name = ""] = written.split("<|");
  return name.length > longestName ? `${name.slice(0, longestName)}…` : name;
}

/** The names of withheld calls, as a part of a sentence. */
export function withheldNames(withheld: Turn["withheld"]): string {
  const names = withheld
    .slice(0, namedCalls)
    .map(({ name = "a tool without a name" }) => shortName(name));
  const more = withheld.length - names.length;
  return names.join(", ") + (more === 0 ? "" : ` and ${more} more`);
}

/** That nothing of withheld calls ran, as a part of a sentence. */
export const nothingRan = ({ length }: Turn["withheld"]): string =>
  `nothing of ${length > 1 ? "them" : "it"} ran`;

function withheldParts({
  withheld,
}: Turn): Readonly<Partial<Record<"because" | "detail" | "advice" | "names", string | undefined>>> {
  const [held] = withheld;
  if (held === undefined) return {};
  return {
    because: alreadyExplained.has(held.reason) ? undefined : toSentence(findings[held.reason]),
    detail: held.detail,
    advice: adviceForModel[held.reason],
    names: withheldNames(withheld),
  };
}
