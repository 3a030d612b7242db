import type {
  CoderEffect,
  CoderField,
  CoderPair,
  CoderRun,
  CoderScenario,
  MeasuredWay,
} from "./coders.ts";
import { table } from "./markdown.ts";

/** A run, and where it was made. */
export interface ShownRun {
  readonly title: string;
  readonly scenario: CoderScenario;
  readonly way: MeasuredWay;
  readonly run: CoderRun;
}

/** All runs of one side. */
export const runsOf = (
  { scenarios, coders }: CoderField,
  side: keyof CoderPair,
): readonly ShownRun[] =>
  coders.flatMap(({ title, ways }) =>
    ways.flatMap((way) =>
      scenarios.flatMap((scenario) => {
        const run = way.runs[scenario.name]?.[side];
        return run === undefined ? [] : [{ title, scenario, way, run }];
      }),
    ),
  );

/**
 * `1 → 9`, if a run causes more than one request more than without the gateway, which asks the model
 * again once.
 */
export function moreRequests({ way, scenario, run }: ShownRun): readonly string[] {
  const before = way.runs[scenario.name]?.before;
  // An agent that gave up a call that must run asked less.
  if (before === undefined || (scenario.mustRun && before.effect === "none")) return [];
  return run.requests > before.requests + 1 ? [`${before.requests} → ${run.requests}`] : [];
}

/** `before → after`, `before` or `→ after`: only what was measured is shown. */
export function pairCell(
  { before, after }: CoderPair = {},
  show: (run: CoderRun) => string,
): string {
  const shown = [before, after].map((run) => run && show(run));
  return after === undefined ? (shown[0] ?? "") : shown.join(" → ").trim();
}

/** A row of the summary: which runs it counts, and of which. */
interface SummaryRow {
  readonly of: (shown: ShownRun) => boolean;
  readonly counted: readonly CoderEffect[];
}

const ran: readonly CoderEffect[] = ["whole", "damaged", "twice"];
const isHonest = ({ way, scenario }: ShownRun): boolean =>
  !way.actsOnText && !scenario.mustRun && !scenario.relabelled;
const isRelabelled = ({ way, scenario }: ShownRun): boolean =>
  !way.actsOnText && scenario.relabelled === true;

const rows: Readonly<Record<string, SummaryRow>> = {
  "the reply says that it is not finished, and its call ran": { of: isHonest, counted: ran },
  "… and it ran damaged": { of: isHonest, counted: ["damaged"] },
  "relabelled, the request names a cap, and the call ran": {
    of: (shown) => isRelabelled(shown) && shown.way.namesCap,
    counted: ran,
  },
  "relabelled, the request names no cap, and the call ran": {
    of: (shown) => isRelabelled(shown) && !shown.way.namesCap,
    counted: ran,
  },
  "the call ran twice": { of: () => true, counted: ["twice"] },
  "the reply finished in the end, and its call ran once": {
    of: ({ scenario }) => scenario.mustRun,
    counted: ["whole"],
  },
  "the agent acts on text, and did so with an unfinished reply": {
    of: ({ way, scenario }) => way.actsOnText === true && !scenario.mustRun,
    counted: ran,
  },
};

const shareOf = (runs: readonly ShownRun[], { of, counted }: SummaryRow): string => {
  const asked = runs.filter(of);
  const found = asked.filter(({ run }) => counted.includes(run.effect));
  return asked.length === 0 ? "–" : `${found.length} / ${asked.length}`;
};

/** How many runs of how many, asked directly and behind the gateway. */
export function summaryTable(field: CoderField): string {
  const [before, after] = [runsOf(field, "before"), runsOf(field, "after")];
  return table(
    ["runs in which", "asked directly", "behind the gateway"],
    Object.entries(rows).map(([name, row]) => [name, shareOf(before, row), shareOf(after, row)]),
  );
}
