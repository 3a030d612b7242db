import { moreRequests, pairCell, runsOf } from "./coder-summary.ts";
import type { CoderEffect, CoderField, CoderRun, CoderScenario, MeasuredWay } from "./coders.ts";
import { table } from "./markdown.ts";

/** The scenarios of the page about coding agents, with their heads. */
const shownScenarios: Readonly<Record<string, string>> = {
  S1R: "cut once",
  S1: "cut each time",
  S3: "the connection ends each time",
};

/** How a run ended for the user, where its call must run and where it must not. */
const effectEndings: Readonly<Record<CoderEffect, readonly [mustRun: string, mustNot: string]>> = {
  whole: ["done", "ran"],
  damaged: ["**damaged**", "**damaged**"],
  twice: ["**done twice**", "**ran twice**"],
  none: ["not done", "nothing ran"],
};

function endingOf({ effect, requests, exitCode, timedOut }: CoderRun, mustRun: boolean): string {
  const [must, mustNot] = effectEndings[effect];
  const end = timedOut ? "still asking" : `exit ${exitCode ?? "by a signal"}`;
  return `${mustRun ? must : mustNot}, ${requests}, ${end}`;
}

/** The runs behind the gateway that cause more than one request more than without it. */
function describeRequests(field: CoderField, scenarios: readonly CoderScenario[]): string {
  const runs = runsOf(field, "after").filter(({ scenario }) => scenarios.includes(scenario));
  const more = runs.flatMap((shown) =>
    moreRequests(shown).map((requests) => `${shown.title} (${shown.scenario.name}: ${requests})`),
  );
  return more.length === 0
    ? `In none of these ${runs.length} runs behind the gateway did an agent cause more than one request more.`
    : `In ${more.length} of these ${runs.length} runs behind the gateway the agent caused more than one request more: ${more.join(", ")}.`;
}

/** Whether all of these replies were played to an agent, as far as it can take them. */
const isShown = ({ runs, actsOnText }: MeasuredWay): boolean =>
  runs["S1R"] !== undefined || actsOnText === true;

/** How the runs of each agent end for its user, as a table and a sentence. */
export function coderEnds(all: CoderField): string {
  const shown = all.coders.map((coder) => ({ ...coder, ways: coder.ways.filter(isShown) }));
  const field = { ...all, coders: shown };
  const scenarios = field.scenarios.filter(({ name }) => name in shownScenarios);
  const rows = field.coders.flatMap(({ title, ways }) =>
    ways.map(({ name, runs }) => [
      title,
      name,
      ...scenarios.map(({ name: scenario, mustRun }) =>
        pairCell(runs[scenario], (run) => endingOf(run, mustRun)),
      ),
    ]),
  );
  const heads = scenarios.map(({ name }) => `${shownScenarios[name]} (${name})`);
  return `${table(["agent", "protocol, tool", ...heads], rows)}\n\n${describeRequests(field, scenarios)}`;
}
