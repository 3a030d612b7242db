import { readResults } from "./blocks.ts";
import type { NewestRelease } from "./field.ts";

/** What the calls of a run left in the work folder. */
export type CoderEffect = "whole" | "damaged" | "twice" | "none";

/** One run of a coding agent. */
export interface CoderRun {
  readonly effect: CoderEffect;
  /** How many requests of its conversation were answered. */
  readonly requests: number;
  /** When, as ISO 8601. */
  readonly at: string;
  /** Absent if it did not end by itself. */
  readonly exitCode?: number;
  /** Its time was over. */
  readonly timedOut?: true;
  /** The last line in which the guard says what did not run, or else the end of the output. */
  readonly last: string;
}

/** The same scenario without the guard and behind it. */
export interface CoderPair {
  readonly before?: CoderRun;
  readonly after?: CoderRun;
}

/** What an agent did with one protocol and one tool. */
export interface MeasuredWay {
  readonly name: string;
  readonly wire: string;
  /** Whether its requests name an output cap. */
  readonly namesCap: boolean;
  /** It has no tools, and acts on the text of a reply. */
  readonly actsOnText?: true;
  /** By the name of the scenario. A scenario that the protocol cannot express is absent. */
  readonly runs: Readonly<Record<string, CoderPair>>;
}

/** What one coding agent did. */
export interface MeasuredCoder {
  readonly name: string;
  readonly title: string;
  readonly package: string;
  readonly version: string;
  /** The newest release when its registry was asked. */
  readonly newest?: NewestRelease;
  readonly note?: string;
  /** Why it was not run. */
  readonly notRun?: string;
  readonly ways: readonly MeasuredWay[];
}

/** A reply of the provider. */
export interface CoderScenario {
  readonly name: string;
  readonly title: string;
  /** Whether the call must run, exactly once and whole. Otherwise no call may run. */
  readonly mustRun: boolean;
  /** The stop reason says that the reply finished, but the cap cut it. */
  readonly relabelled?: true;
}

/** The results of `pnpm field --coders`. */
export interface CoderField {
  readonly scenarios: readonly CoderScenario[];
  readonly coders: readonly MeasuredCoder[];
}

/** The results as data, from the root of the repository. */
export const coderFile = "tooling/field/coders.json";
export const readCoders = (): CoderField | undefined => readResults(coderFile);
