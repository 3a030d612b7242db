/**
 * The result for one clause and one subject. `expected-failure`: broken, and listed as an expected failure;
 * `stale`: listed as an expected failure, but not broken.
 */
export type Status = "kept" | "broken" | "not-claimed" | "not-run" | "expected-failure" | "stale";

/** The styles that a terminal report uses. */
export type Color = "green" | "red" | "yellow" | "cyan" | "dim" | "bold";

/** How reports show a status. */
export interface StatusText {
  /** One character, for a cell. */
  readonly mark: string;
  readonly label: string;
  readonly meaning: string;
  readonly color: Color;
  /** Whether one finding with this status makes the whole report fail. */
  readonly isFailure: boolean;
}

/** How each status is shown, in the order of the legend. */
export const statuses: Readonly<Record<Status, StatusText>> = {
  kept: {
    mark: "✔",
    label: "kept",
    meaning: "every check passed",
    color: "green",
    isFailure: false,
  },
  broken: {
    mark: "✖",
    label: "broken",
    meaning: "at least one check failed",
    color: "red",
    isFailure: true,
  },
  stale: {
    mark: "!",
    label: "stale",
    meaning: "listed as an expected failure, but not broken",
    color: "red",
    isFailure: true,
  },
  "expected-failure": {
    mark: "≈",
    label: "expected failure",
    meaning: "broken, and listed as an expected failure",
    color: "yellow",
    isFailure: false,
  },
  "not-claimed": {
    mark: "–",
    label: "not claimed",
    meaning: "the subject or its protocol does not promise it",
    color: "cyan",
    isFailure: false,
  },
  "not-run": { mark: "·", label: "not run", meaning: "not asked", color: "dim", isFailure: false },
};

/** All statuses, in the order of the legend. */
export const statusNames: readonly Status[] = Object.keys(statuses) as Status[];
