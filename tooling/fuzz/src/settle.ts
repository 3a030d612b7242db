import { type CallPart, type Intent, intentText } from "./intent.ts";
import { isObject, jsonValue, numbersOf } from "./json.ts";
import type { Reading, Reason, StopMeaning, WireCall } from "./reading.ts";
import { cap, emptyInput, isOffered } from "./tools.ts";

/** The facts about a reply that a reader or the generator knows. */
export interface Facts {
  readonly calls: readonly WireCall[];
  readonly text?: string | undefined;
  /** If the reply ended as the protocol requires. */
  readonly end: "came" | "missing" | "unclear";
  /** The meaning of each stop reason of the reply. */
  readonly stops: readonly StopMeaning[];
  /** A proof that the reply is invalid. */
  readonly flaw?: string | undefined;
  /** The received part follows the rules. The end may be missing. */
  readonly orderly?: boolean | undefined;
  /** A question that the rules leave open. */
  readonly doubt?: string | undefined;
  /** The reader cannot separate the calls with certainty. */
  readonly ambiguous?: boolean | undefined;
  /**
   * Tokens to compare with the cap. `undefined` if the host reports none or they are not
   * comparable.
   */
  readonly output?: number | undefined;
  /** The cap does not limit the whole output. */
  readonly capUnclear?: boolean | undefined;
  /** The usage reaches the cap but may count other tokens than the cap. */
  readonly usageUnclear?: boolean | undefined;
  /** The host may report a truncated reply as finished. */
  readonly mislabelsTruncation?: boolean | undefined;
  /** A server tool is still running. */
  readonly serverToolOpen?: boolean | undefined;
  /** The protocol closes each input, and it closed all inputs of the reply. */
  readonly closesInputs?: boolean | undefined;
  /** Some hosts send a space for an empty input. */
  readonly sendsBlankInputs?: boolean | undefined;
}

const endsNormally = (meaning: StopMeaning): boolean =>
  meaning === "stop" || meaning === "tool-use";

/** Why no call may run, and the stop reason for it. */
interface Obstacle {
  readonly because: string;
  readonly reason?: Reason | undefined;
}

/** What the generator knows about a reply. It ends as its protocol requires, unless `end` says more. */
export interface IntendedFacts
  extends Omit<Facts, "calls" | "text" | "end" | "closesInputs">,
    Partial<Pick<Facts, "end">> {
  /** How a call stands on the wire. */
  call(part: CallPart, position: number): Omit<WireCall, "name">;
}

/** The meaning of a reply whose protocol closes each input. */
export const truthOf = (intent: Intent, { call, ...facts }: IntendedFacts): Reading =>
  decideReading({
    calls: intent.parts.flatMap((part, position) =>
      part.kind === "call" ? [{ name: part.tool, ...call(part, position) }] : [],
    ),
    text: intentText(intent),
    end: "came",
    closesInputs: true,
    ...facts,
  });

/** Decides whether a reply is finished and how a turn must read it. */
export function decideReading(facts: Facts): Reading {
  const { text } = facts;
  const calls = withoutDuplicates(facts.calls);
  const known = { calls, sure: facts.ambiguous !== true, orderly: facts.orderly !== false, text };
  const finding = findObstacle({ ...facts, calls });
  if (facts.flaw !== undefined) return { ...known, verdict: "unfinished", because: facts.flaw };
  if (finding !== undefined) {
    const reason =
      facts.doubt === undefined && facts.usageUnclear !== true && finding.reason !== undefined
        ? worstReason(finding.reason, facts.stops)
        : undefined;
    return { ...known, verdict: "unfinished", because: finding.because, reason };
  }
  const doubt = facts.doubt ?? openQuestion({ ...facts, calls });
  if (doubt !== undefined) return { ...known, verdict: "undecided", because: doubt };
  return {
    ...known,
    verdict: "finished",
    because: "the reply ended with a stop reason",
    reason: calls.length > 0 ? "tool-use" : "stop",
  };
}

function findObstacle(facts: Facts): Obstacle | undefined {
  const { end, stops, calls, output } = facts;
  if (end === "missing") return { because: "the end is missing", reason: "interrupted" };
  const bad = stops.find((meaning) => !endsNormally(meaning) && meaning !== "sequence");
  if (bad !== undefined)
    return { because: `the stop reason means ${bad}`, reason: claimedReason(facts) };
  if (stops.includes("sequence") && calls.length > 0)
    return { because: "a stop sequence ended the reply", ...(!output && { reason: "stop" }) };
  return (
    capObstacle(facts) ??
    (facts.ambiguous ? undefined : (unusableCall(facts) ?? missingCall(facts)))
  );
}

/** A usage far below the cap shows that the context window was full. */
function claimedReason({ stops, output, capUnclear }: Facts): Reason | undefined {
  if (capUnclear && stops.includes("length")) return undefined;
  const isFull = stops.includes("length") && output !== undefined && output > 0 && output < cap / 2;
  return isFull ? "context-window" : "stop";
}

function capObstacle({
  output,
  mislabelsTruncation,
  calls,
  usageUnclear,
  stops,
  capUnclear,
}: Facts): Obstacle | undefined {
  const isCut =
    output !== undefined &&
    output >= cap &&
    usageUnclear !== true &&
    capUnclear !== true &&
    !stops.includes("sequence");
  if (isCut) return { because: "the usage reached the cap", reason: "length" };
  if (mislabelsTruncation && calls.length > 0 && !output)
    return { because: "the host mislabels truncation and reports no usage", reason: "length" };
  return undefined;
}

function unusableCall(facts: Facts): Obstacle | undefined {
  // An unusual input before the call may have a reason of its own.
  const isUnclear = facts.calls.some(({ text, free }) => !free && isUnusualInput(text));
  for (const call of facts.calls) {
    const why = callFlaw(call, facts);
    if (why !== undefined)
      return {
        because: `an unusable call: ${why}`,
        ...(why !== "cut" && !isUnclear && { reason: "malformed-tool-call" }),
      };
  }
  return undefined;
}

function missingCall({ stops, calls, serverToolOpen }: Facts): Obstacle | undefined {
  if (!stops.includes("tool-use") || calls.length > 0) return undefined;
  return {
    because: "the stop reason requests a call, and the reply has no call",
    reason: serverToolOpen ? "pause" : "malformed-tool-call",
  };
}

/**
 * Why a call is unusable. `cut` does not decide the stop reason, because the cap may have cut the
 * call.
 */
function callFlaw({ name, text, free }: WireCall, facts: Facts): string | undefined {
  if (name === undefined) return "it has no name";
  if (free) return undefined;
  return text.trim() === "" ? emptyInputFlaw(name, text, facts) : jsonInputFlaw(name, text);
}

function emptyInputFlaw(
  name: string,
  text: string,
  { closesInputs, output }: Facts,
): string | undefined {
  const isProven = closesInputs || Boolean(output) || emptyInput(name) === "always";
  if (isProven && emptyInput(name) !== "never") return undefined;
  return text === "" ? "its input is missing" : "cut";
}

function jsonInputFlaw(name: string, text: string): string | undefined {
  const value = jsonValue(text);
  if (value === undefined) return "cut";
  if (!isObject(value)) return name === "now" && value === null ? undefined : "not an object";
  if (numbersOf(text) === "lost") return "a number is too large";
  if (text.includes("__proto__") && hasProtoKey(value)) return "__proto__";
  return Object.keys(value).length === 0 && emptyInput(name) === "never"
    ? "its input is missing"
    : undefined;
}

const hasProtoKey = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  (Object.hasOwn(value, "__proto__") || Object.values(value).some(hasProtoKey));

function openQuestion({
  end,
  calls,
  usageUnclear,
  mislabelsTruncation,
  output,
  stops,
  sendsBlankInputs,
}: Facts): string | undefined {
  if (end === "unclear") return "an uncertain end";
  if (usageUnclear) return "a usage that may count more than the cap";
  if (stops.includes("sequence") && output !== undefined && output >= cap)
    return "a stop sequence at the cap";
  if (mislabelsTruncation && !output) return "the host mislabels truncation and reports no usage";
  if (stops.includes("sequence")) return undefined;
  const strange = calls.find(
    ({ name, text, free }) =>
      !isOffered(name ?? "") ||
      (!free && isUnusualInput(text) && !(sendsBlankInputs && name === "now" && text === " ")),
  );
  return strange && `an uncertain input of ${strange.name}`;
}
const isUnusualInput = (text: string): boolean =>
  (text !== "" && text.trim() === "") || text.trim() === "null" || numbersOf(text) === "unclear";

const severity: readonly Reason[] = [
  ...([
    "stop",
    "tool-use",
    "unknown",
    "pause",
    "interrupted",
    "malformed-tool-call",
    "length",
  ] as const),
  ...(["context-window", "refusal", "content-filter", "error"] as const),
];

/** The worst of the found reason and the claimed ones. */
function worstReason(found: Reason, stops: readonly StopMeaning[]): Reason | undefined {
  const claims = stops.filter((meaning) => meaning !== "sequence" && meaning !== "tool-use");
  return [found, ...claims].toSorted((a, b) => severity.indexOf(b) - severity.indexOf(a))[0];
}

/** A call that is sent twice counts once. */
function withoutDuplicates(calls: readonly WireCall[]): readonly WireCall[] {
  const seen = new Set<string>();
  return calls.filter(({ id, name, text }) => {
    const key = JSON.stringify([id, name, text]);
    if (id === undefined || !seen.has(key)) {
      seen.add(key);
      return true;
    }
    return false;
  });
}
