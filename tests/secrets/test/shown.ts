import { inspect } from "node:util";
import { explain, type Turn } from "@fullstop/core";
import type { Outcome, RunEvent } from "@fullstop/loop";

/** Each text of a run that a person, a log or a file gets, by its place. */
export type VisibleTexts = Readonly<Record<string, string>>;

/** What was written about a run besides its outcome. */
export interface Written {
  readonly events: readonly RunEvent[];
  readonly journal: string;
  /** Of `@fullstop/inspect`, which did not look for keys in it. */
  readonly recording: string;
  /** Of `@fullstop/otel`, with content. */
  readonly spans: string;
}

export function visibleTexts(
  turn: Turn,
  outcome: Outcome,
  { events, ...files }: Written,
): VisibleTexts {
  const error = "error" in turn ? turn.error : undefined;
  return {
    ...visibleInTurn("turn", turn),
    ...visibleInTurn("outcome", outcome.turn),
    "error.cause": inspect(error?.cause, everything),
    summary: outcome.summary,
    "outcome, as JSON": JSON.stringify(outcome),
    "outcome, inspected": inspect(outcome, everything),
    events: JSON.stringify(events),
    "events, inspected": inspect(events, everything),
    ...files,
  };
}

/** Options that show hidden members too. */
const everything = {
  depth: Number.POSITIVE_INFINITY,
  showHidden: true,
  maxStringLength: null,
  breakLength: Number.POSITIVE_INFINITY,
};

function visibleInTurn(name: string, turn: Turn): VisibleTexts {
  const error = "error" in turn ? turn.error : undefined;
  return {
    [`${name}: error.message`]: error?.message ?? "",
    [`${name}: error.stack`]: error?.stack ?? "",
    [`${name}: error, as a text`]: String(error),
    [`${name}: explain`]: Object.values(explain(turn)).join("\n"),
    [`${name}, as JSON`]: JSON.stringify(turn),
    [`${name}, inspected`]: inspect(turn, everything),
  };
}

/** A leak of 15 characters contains at least one piece, at any offset. */
const pieceLength = 10;
const pieceStep = 5;
const piecesOf = (form: string): readonly string[] =>
  Array.from({ length: Math.ceil((form.length - pieceLength) / pieceStep) }, (_, at) =>
    form.slice(at * pieceStep, at * pieceStep + pieceLength),
  );

/** The places that contain the secret or a piece of it: raw, or escaped as in JSON or a URL. */
export function findLeaks(shown: VisibleTexts, secret: string): readonly string[] {
  const pieces = [
    ...new Set(
      [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)].flatMap(piecesOf),
    ),
  ];
  return Object.entries(shown).flatMap(([place, text]) =>
    pieces.some((piece) => text.includes(piece)) ? [place] : [],
  );
}
