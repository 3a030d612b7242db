import type { Status } from "./report.ts";

/** How a word can stand out in a terminal. */
export type Color = "green" | "red" | "yellow" | "cyan" | "dim" | "bold";

export interface StatusText {
  /** One character, for a cell. */
  readonly mark: string;
  readonly label: string;
  readonly meaning: string;
  readonly color: Color;
  /** A report that holds one fails. */
  readonly isFailure: boolean;
}

/** What each status looks like, in the order of a legend. */
export const statuses: Readonly<Record<Status, StatusText>> = {
  kept: {
    mark: "✔",
    label: "kept",
    meaning: "everything tried came out as it must",
    color: "green",
    isFailure: false,
  },
  broken: {
    mark: "✖",
    label: "broken",
    meaning: "something tried came out otherwise",
    color: "red",
    isFailure: true,
  },
  stale: {
    mark: "!",
    label: "stale",
    meaning: "listed as an expected failure, and not one",
    color: "red",
    isFailure: true,
  },
  "expected-failure": {
    mark: "≈",
    label: "expected failure",
    meaning: "broken, as its list of failures says",
    color: "yellow",
    isFailure: false,
  },
  "not-claimed": {
    mark: "–",
    label: "not claimed",
    meaning: "the subject, or its protocol, does not promise it",
    color: "cyan",
    isFailure: false,
  },
  "not-run": { mark: "·", label: "not run", meaning: "nobody asked", color: "dim", isFailure: false },
};

/** All of them, in the order of a legend. */
export const statusNames: readonly Status[] = Object.keys(statuses) as Status[];
