import { isObject, jsonValue, numbersOf } from "./json.ts";
import type { Meaning, Reading, Reason, Said } from "./reading.ts";
import { cap, emptyInput, isOffered } from "./tools.ts";

/** What a reader, or a writer, knows of a reply. */
export interface Facts {
  readonly calls: readonly Said[];
  readonly text?: string | undefined;
  /** Did the reply end the way its protocol says? */
  readonly end: "came" | "missing" | "unclear";
  /** What each word for why it ended means. */
  readonly words: readonly Meaning[];
  /** A proof that the reply is not sound. */
  readonly flaw?: string | undefined;
  /** Nothing of what came contradicts the rules; the end may be missing. */
  readonly orderly?: boolean | undefined;
  /** What the rules leave open. */
  readonly doubt?: string | undefined;
  /** The calls cannot be told apart for certain. */
  readonly blurred?: boolean | undefined;
  /** Tokens to compare with the cap; nothing where none are reported or they cannot be compared. */
  readonly output?: number | undefined;
  /** The cap does not hold for all of the output together. */
  readonly uncapped?: boolean | undefined;
  /** The usage reaches the cap, and may not be what the cap counts. */
  readonly vague?: boolean | undefined;
  /** A host that is known to call a cut reply whole. */
  readonly mislabelsTruncation?: boolean | undefined;
  /** A tool of the provider's own is still at work. */
  readonly working?: boolean | undefined;
  /** The protocol closes each input, and closed all of these. */
  readonly closes?: boolean | undefined;
  /** Its hosts send a blank for the input of a tool that takes nothing. */
  readonly blanks?: boolean | undefined;
}

const isOver = (meaning: Meaning): boolean => meaning === "stop" || meaning === "tool-use";

/** Why none of the calls may run, in the order in which it is asked; nothing where all may. */
interface Finding {
  readonly because: string;
  readonly reason?: Reason | undefined;
}

/** The verdict on a reply, and what a turn that reads it must say. */
export function settle(facts: Facts): Reading {
  const { text } = facts;
  const calls = distinct(facts.calls);
  const known = { calls, sure: facts.blurred !== true, orderly: facts.orderly !== false, text };
  const finding = obstacle({ ...facts, calls });
  if (facts.flaw !== undefined) return { ...known, verdict: "unfinished", because: facts.flaw };
  if (finding !== undefined) {
    const reason =
      facts.doubt === undefined && facts.vague !== true && finding.reason !== undefined
        ? worst(finding.reason, facts.words)
        : undefined;
    return { ...known, verdict: "unfinished", because: finding.because, reason };
  }
  const doubt = facts.doubt ?? openQuestion({ ...facts, calls });
  if (doubt !== undefined) return { ...known, verdict: "undecided", because: doubt };
  return {
    ...known,
    verdict: "finished",
    because: "it ended, and says so",
    reason: calls.length > 0 ? "tool-use" : "stop",
  };
}

function obstacle(facts: Facts): Finding | undefined {
  const { end, words, calls, output } = facts;
  if (end === "missing") return { because: "its end never came", reason: "interrupted" };
  const bad = words.find((word) => !isOver(word) && word !== "sequence");
  if (bad !== undefined) return { because: `its word means ${bad}`, reason: claimed(facts) };
  if (words.includes("sequence") && calls.length > 0)
    return { because: "a stop sequence ended it", ...(!output && { reason: "stop" }) };
  return capped(facts) ?? (facts.blurred ? undefined : (unusable(facts) ?? unasked(facts)));
}

/** A cap that cut leaves a usage near it; where little was used, the window was full. */
function claimed({ words, output, uncapped }: Facts): Reason | undefined {
  if (uncapped && words.includes("length")) return undefined;
  const isFull = words.includes("length") && output !== undefined && output > 0 && output < cap / 2;
  return isFull ? "context-window" : "stop";
}

function capped({
  output,
  mislabelsTruncation,
  calls,
  vague,
  words,
  uncapped,
}: Facts): Finding | undefined {
  const isCut =
    output !== undefined &&
    output >= cap &&
    vague !== true &&
    uncapped !== true &&
    !words.includes("sequence");
  if (isCut) return { because: "its usage reached the cap", reason: "length" };
  if (mislabelsTruncation && calls.length > 0 && !output)
    return { because: "its host relabels, and reports no usage", reason: "length" };
  return undefined;
}

function unusable(facts: Facts): Finding | undefined {
  for (const call of facts.calls) {
    const why = flawOf(call, facts);
    if (why !== undefined)
      return {
        because: `a call of it is unusable: ${why}`,
        ...(why !== "cut" && { reason: "malformed-tool-call" }),
      };
  }
  return undefined;
}

function unasked({ words, calls, working }: Facts): Finding | undefined {
  if (!words.includes("tool-use") || calls.length > 0) return undefined;
  return {
    because: "it asks for a call that never came",
    reason: working ? "pause" : "malformed-tool-call",
  };
}

/** What is wrong with a call. `cut` leaves the reason open: the cap may have cut it, too. */
function flawOf({ name, text, free }: Said, facts: Facts): string | undefined {
  if (name === undefined) return "it has no name";
  if (free) return undefined;
  return text.trim() === "" ? flawOfNothing(name, text, facts) : flawOfJson(name, text);
}

function flawOfNothing(name: string, text: string, { closes, output }: Facts): string | undefined {
  const isProven = closes || Boolean(output) || emptyInput(name) === "always";
  if (isProven && emptyInput(name) !== "never") return undefined;
  return text === "" ? "its input is missing" : "cut";
}

function flawOfJson(name: string, text: string): string | undefined {
  const value = jsonValue(text);
  if (value === undefined) return "cut";
  if (!isObject(value)) return name === "now" && value === null ? undefined : "not an object";
  if (numbersOf(text) === "lost") return "a number is too large";
  if (text.includes("__proto__") && holdsProto(value)) return "__proto__";
  return Object.keys(value).length === 0 && emptyInput(name) === "never"
    ? "its input is missing"
    : undefined;
}

const holdsProto = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  (Object.hasOwn(value, "__proto__") || Object.values(value).some(holdsProto));

function openQuestion({
  end,
  calls,
  vague,
  mislabelsTruncation,
  output,
  words,
  blanks,
}: Facts): string | undefined {
  if (end === "unclear") return "its end is open to doubt";
  if (vague) return "its usage may count what the cap does not";
  if (words.includes("sequence") && output !== undefined && output >= cap)
    return "a stop sequence met at the cap";
  if (mislabelsTruncation && !output) return "its host relabels, and reports no usage";
  if (words.includes("sequence")) return undefined;
  const strange = calls.find(
    ({ name, text, free }) =>
      !isOffered(name ?? "") ||
      (!free && isOdd(text) && !(blanks && name === "now" && text === " ")),
  );
  return strange && `what is to be made of ${strange.name} is open`;
}
const isOdd = (text: string): boolean =>
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

/** Of what was found and what the provider claims, the worst. */
function worst(found: Reason, words: readonly Meaning[]): Reason | undefined {
  const claims = words.filter((word) => word !== "sequence" && word !== "tool-use");
  return [found, ...claims].toSorted((a, b) => severity.indexOf(b) - severity.indexOf(a))[0];
}

/** One call said twice is one call. */
function distinct(calls: readonly Said[]): readonly Said[] {
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
