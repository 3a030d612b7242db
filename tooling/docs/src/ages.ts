import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./blocks.ts";
import { type MeasuredCoder, readCoders } from "./coders.ts";
import { readField } from "./field.ts";
import { readGateways } from "./gateways.ts";
import { readGuarded } from "./guarded.ts";
import { speedPage, tablesOf } from "./speed-page.ts";

/** Something that is published about other projects. */
export interface Comparison {
  readonly what: string;
  /** When it was measured, as a day. */
  readonly day: string;
  /** The command that measures it again. */
  readonly again: string;
}

/** For so many days a comparison is published. */
const mostDays = 60;
const dayMs = 24 * 60 * 60 * 1000;

/** A sentence for each comparison that is too old on a day. */
export const findOld = (comparisons: readonly Comparison[], today: string): readonly string[] =>
  comparisons
    .filter(({ day }) => Date.parse(today) - Date.parse(day) > mostDays * dayMs)
    .map(
      ({ what, day, again }) =>
        `${what} was measured on ${day}, more than ${mostDays} days ago: measure it again with \`${again}\`, or take it out.`,
    );

interface Measured {
  readonly name: string;
  readonly title: string;
  readonly at: string;
}

const rowsOf = (
  systems: readonly Measured[],
  where: string,
  again: string,
): readonly Comparison[] =>
  systems.map(({ name, title, at }) => ({
    what: `${title} ${where}`,
    day: at.slice(0, 10),
    again: `${again} ${name}`,
  }));

/** An agent that was run, with its oldest run. */
function oldestRun({ name, title, ways }: MeasuredCoder): readonly Measured[] {
  const pairs = ways.flatMap(({ runs }) => Object.values(runs));
  const runs = pairs.flatMap(({ before, after }) => [before?.at ?? [], after?.at ?? []].flat());
  return runs
    .toSorted()
    .slice(0, 1)
    .map((at) => ({ name, title, at }));
}

/** Everything that is published about other projects and was measured. */
export const readComparisons = (): readonly Comparison[] => [
  ...tablesOf(readFileSync(join(root, speedPage), "utf8")).map(({ name, day }) => ({
    what: `The table ${name} of ${speedPage}`,
    day,
    again: "pnpm bench --publish",
  })),
  ...rowsOf(readField().systems, "in the field report", "pnpm field --update --only"),
  ...rowsOf(readGuarded()?.systems ?? [], "behind the gateway", "pnpm field --guarded --only"),
  ...rowsOf(readGateways()?.gateways ?? [], "among the gateways", "pnpm field --gateways --only"),
  ...rowsOf(
    (readCoders()?.coders ?? []).flatMap(oldestRun),
    "among the coding agents",
    "pnpm field --coders --only",
  ),
];
