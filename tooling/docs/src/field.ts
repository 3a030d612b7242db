import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type ClauseText,
  clauses,
  type Report,
  type ReportedSubject,
  textForLoops,
} from "@fullstop/conformance";
import { root } from "./blocks.ts";

/** What one system did, in each configuration. */
export interface MeasuredSystem {
  /** It says where its driver is: `driverFolder`. */
  readonly name: string;
  readonly title: string;
  /** Absent in results that are older than this field. */
  readonly language?: string;
  /** The version of its package. */
  readonly version?: string;
  /** The newest release that could be installed; absent if its registry did not answer. */
  readonly newest?: NewestRelease;
  /** Whether its loop is a sample instead of the library's own. */
  readonly isSampleLoop?: boolean;
  /** What else a reader must know. */
  readonly note?: string;
  /** When, as ISO 8601. */
  readonly at: string;
  readonly subjects: readonly ReportedSubject[];
  /** What a second measurement found (`pnpm field --again`). */
  readonly again?: SecondMeasurement;
}

/** What a registry said about a package. */
export interface NewestRelease {
  readonly version: string;
  /** When it was asked, as ISO 8601. */
  readonly at: string;
}

/** `1.2.0`, or what is newer: a row of an older release may accuse it of what was mended. */
export const describeRelease = ({
  version = "–",
  newest,
}: {
  readonly version?: string | undefined;
  readonly newest?: NewestRelease | undefined;
}): string =>
  version === newest?.version ? version : `${version} (newest: ${newest?.version ?? "not known"})`;

/** A second measurement of a system, compared with the first one. */
export interface SecondMeasurement {
  /** When, as ISO 8601. */
  readonly at: string;
  /** A sentence for each check that failed in only one of the two. */
  readonly differences: readonly string[];
}

/** The clauses that the systems are asked, as the command asks them. */
export const agentClauses: readonly ClauseText[] = clauses
  .filter(({ loop }) => loop !== undefined)
  .map(textForLoops);

/** The results of `pnpm field`. Rules and levels are in `agentClauses`. */
export interface Field extends Pick<Report, "suite"> {
  readonly systems: readonly MeasuredSystem[];
}

/** The results as data, from the root of the repository. */
export const fieldFile = "tooling/field/results.json";
/** What changed since the last report and why, written by hand. */
export const changesFile = "tooling/field/changes.md";
/** Whose rows were wrong, by name and day, written by hand. */
export const correctionsFile = "tooling/field/corrections.md";
/** The traffic of verdicts that were checked by hand. */
export const evidenceFolder = "tooling/field/evidence";
/** The results as a document. */
export const fieldReport = "docs/field-report.md";
/** The results as a page. Git ignores it. */
export const fieldPageFile = "dist/field.html";
export const readField = (): Field =>
  JSON.parse(readFileSync(join(root, fieldFile), "utf8")) as Field;

/** The results as JSON, with a line for each system and for each configuration. */
export function printField({ systems, ...about }: Field): string {
  const list = (lines: readonly string[]): string => `[\n${lines.join(",\n")}\n]`;
  const withList = (object: object, name: string, lines: readonly string[]): string =>
    `${JSON.stringify(object).slice(0, -1)},"${name}":${list(lines)}}`;
  const lines = systems.map(({ subjects, ...system }) =>
    withList(
      system,
      "subjects",
      subjects.map((subject) => JSON.stringify(subject)),
    ),
  );
  return `${withList(about, "systems", lines)}\n`;
}

/**
 * The folder of a driver, from the root of the repository: an example of the suite, or
 * `<language>/<name>` in the folder of the drivers.
 */
export const driverFolder = (name: string): string =>
  name.includes("/")
    ? `tooling/field/drivers/${name}`
    : `packages/conformance-cli/examples/${name}`;
