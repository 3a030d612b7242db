import type { Preview, StopReason, Turn } from "@fullstop/core";

/** A turn, and the texts that were shown before its first tool input. */
export interface WatchedTurn {
  readonly turn: Turn;
  readonly textsBeforeCalls: readonly string[];
}

/** Collects the texts that are shown before the first tool input. */
export function watchTexts(): {
  readonly texts: readonly string[];
  readonly onPreview: (event: Preview) => void;
} {
  const texts: string[] = [];
  let hasInput = false;
  return {
    texts,
    onPreview: (event) => {
      hasInput ||= event.type === "tool-input-start";
      if (event.type === "text" && !hasInput) texts.push(event.text);
    },
  };
}

/** The output limit. With a small usage, a reader takes it for a full context window. */
const limits: readonly StopReason[] = ["length", "context-window"];

/**
 * How a reply whose calls are withheld may end behind a guard, by the stop reason that it has
 * without the guard. Clients know no better word than `length` for most of them. Each may also
 * become an error.
 */
const honestEndings: Readonly<Record<StopReason, readonly StopReason[]>> = {
  stop: ["stop", ...limits],
  "tool-use": [],
  length: limits,
  "context-window": limits,
  pause: ["pause", ...limits],
  refusal: ["refusal"],
  "content-filter": ["content-filter"],
  "malformed-tool-call": ["malformed-tool-call", ...limits],
  error: [],
  interrupted: ["interrupted"],
  aborted: [],
  unknown: ["unknown", ...limits],
};

/** Whether `text` is `kept` with at most one insertion. */
function holdsText(text: string, kept: string): boolean {
  let start = 0;
  while (start < kept.length && text[start] === kept[start]) start++;
  return text.length >= kept.length && text.endsWith(kept.slice(start));
}

const isBroken = ({ stopReason }: Turn): boolean =>
  stopReason === "interrupted" || stopReason === "error";

/**
 * The text that arrived may be followed by a note. Of a broken reply the held text may be lost: what
 * came after the first tool input, and the text of the event that has the stop reason.
 */
function keepsText(guarded: Turn, { turn, textsBeforeCalls }: WatchedTurn): boolean {
  if (holdsText(guarded.text, turn.text)) return true;
  const shown = turn.native === undefined ? textsBeforeCalls : textsBeforeCalls.slice(0, -1);
  return (
    isBroken(guarded) &&
    guarded.text.startsWith(shown.join("")) &&
    turn.text.startsWith(guarded.text)
  );
}

/**
 * The turn by which a subject behind a guard is judged: `guarded`, the turn that it read. A guard
 * replaces the end of a reply whose calls are withheld, and of a reply that broke. If it did this
 * honestly, the subject is judged by the turn that it reads without the guard.
 */
export function judgedTurn(guarded: Turn, unguarded: WatchedTurn, isStream: boolean): Turn {
  const { turn } = unguarded;
  const isReplaced = turn.withheld.length > 0 || turn.stopReason === "interrupted";
  const runsNothing = guarded.calls.length === 0 && turn.calls.length === 0;
  const isHonest =
    guarded.stopReason === "error" || honestEndings[turn.stopReason].includes(guarded.stopReason);
  // A JSON body that broke becomes an error status, which has no text.
  const isTextKept = keepsText(guarded, unguarded) || (!isStream && isBroken(guarded));
  return isReplaced && runsNothing && isHonest && isTextKept ? turn : guarded;
}
