import { moreRequests, pairCell, runsOf, type ShownRun, summaryTable } from "./coder-summary.ts";
import type {
  CoderEffect,
  CoderField,
  CoderPair,
  CoderRun,
  CoderScenario,
  MeasuredCoder,
  MeasuredWay,
} from "./coders.ts";
import { describeRelease } from "./field.ts";
import { table } from "./markdown.ts";

const effectMarks: Readonly<Record<CoderEffect, string>> = {
  whole: "R",
  damaged: "**D**",
  twice: "**2×**",
  none: "–",
};

/** That a relabelled reply does not run is a should: then nothing is bold. */
const effectCell = ({ effect }: CoderRun, { relabelled }: CoderScenario): string =>
  relabelled ? effectMarks[effect].replaceAll("*", "") : effectMarks[effect];

/** `3, exit 1`, or `12+` if the agent was still asking. */
function effortCell({ requests, exitCode, timedOut }: CoderRun): string {
  if (timedOut) return `${requests}+`;
  return `${requests}, ${exitCode === undefined ? "killed" : `exit ${exitCode}`}`;
}

type ShowRun = (run: CoderRun, scenario: CoderScenario) => string;

/** What must or should happen to the call of a scenario. */
function expectedOf({ mustRun, relabelled }: Omit<CoderScenario, "name" | "title">): string {
  if (mustRun) return "The call must run once.";
  return relabelled
    ? "No call should run; an agent whose requests name no cap cannot see it."
    : "No call may run.";
}

function matrix({ scenarios, coders }: CoderField, show: ShowRun): string {
  const rows = coders.flatMap(({ title, ways }) =>
    ways.map(({ name, runs }) => [
      title,
      name,
      ...scenarios.map((scenario) => pairCell(runs[scenario.name], (run) => show(run, scenario))),
    ]),
  );
  return table(["agent", "protocol, tool", ...scenarios.map(({ name }) => name)], rows);
}

const runName = ({ title, way, scenario }: ShownRun): string =>
  `${title}, ${way.name}, ${scenario.name}`;

/** What a run behind the gateway breaks, as a line of a list. */
function problemsOf(shown: ShownRun): readonly string[] {
  const { scenario, run } = shown;
  const expected: CoderEffect = scenario.mustRun ? "whole" : "none";
  return [
    ...(run.effect === expected
      ? []
      : [`${runName(shown)}: ${effectMarks[run.effect]}${describeReach(shown)}`]),
    ...moreRequests(shown).map((requests) => `${runName(shown)}: ${requests} requests`),
  ];
}

/** Why the guard could not help, as far as the results show it. */
function describeReach({ way, scenario }: ShownRun): string {
  if (way.actsOnText) return ", acts on text";
  return scenario.relabelled && !way.namesCap ? ", relabelled, and the request names no cap" : "";
}

function problems(field: CoderField): string {
  const runs = runsOf(field, "after");
  if (runs.length === 0) return "";
  const lines = runs.flatMap(problemsOf).map((line) => `- ${line}`);
  return lines.length === 0
    ? "Behind the gateway every run is as it must be, and no agent causes more than one request more."
    : `Behind the gateway, these runs are not as they must be, or cause more than one request more:\n\n${lines.join("\n")}`;
}

const maxWordChars = 240;

/** The last words of an output in one line of Markdown. */
const lastWords = (text: string): string => {
  const line = text.replaceAll("`", "'").replaceAll(/\s+/g, " ").trim();
  return line.length <= maxWordChars ? line : `… ${line.slice(-maxWordChars)}`;
};

/** The last words behind the gateway, each with the scenarios in which they came. */
function ends({ scenarios }: CoderField, { name, namesCap, runs }: MeasuredWay): readonly string[] {
  const said = scenarios.flatMap(({ name: scenario, mustRun }) => {
    const run = runs[scenario]?.after;
    return run === undefined || mustRun ? [] : [{ scenario, words: lastWords(run.last) }];
  });
  const lines = [...Map.groupBy(said, ({ words }) => words)].map(
    ([words, all]) => `- ${all.map(({ scenario }) => scenario).join(", ")}: \`${words}\``,
  );
  return [`**${name}**${namesCap ? "" : " (names no cap)"}`, lines.join("\n")];
}

const sideNames: Readonly<Record<keyof CoderPair, string>> = {
  before: "asked directly",
  after: "behind the gateway",
};

/** `2026-11-26`, or each day with what was asked on it. */
function describeDays(ways: readonly MeasuredWay[], side: keyof CoderPair): string {
  const asked = ways.flatMap(({ runs }) =>
    Object.entries(runs).flatMap(([scenario, pair]) =>
      pair[side] === undefined ? [] : [{ scenario, day: pair[side].at.slice(0, 10) }],
    ),
  );
  const days = [...Map.groupBy(asked, ({ day }) => day)].toSorted(([one], [other]) =>
    one.localeCompare(other),
  );
  return days
    .map(([day, of]) => {
      const names = new Set(of.map(({ scenario }) => scenario));
      return days.length === 1 ? day : `${day} (${[...names].join(", ")})`;
    })
    .join(" and ");
}

/** `, asked directly on 2026-11-22, behind the gateway on 2026-11-26.` */
const describeSides = (ways: readonly MeasuredWay[]): string =>
  (["before", "after"] as const)
    .map((side) => ({ side, days: describeDays(ways, side) }))
    .filter(({ days }) => days !== "")
    .map(({ side, days }) => `, ${sideNames[side]} on ${days}`)
    .join("")
    .concat(".");

const coderSection =
  (field: CoderField) =>
  ({ title, package: from, version, newest, note, notRun, ways }: MeasuredCoder): string =>
    [
      `### ${title}`,
      `\`${from}\` ${describeRelease({ version, newest })}${describeSides(ways)}${note === undefined ? "" : ` ${note}`}`,
      ...(notRun === undefined ? [] : [`Not run. ${notRun}`]),
      ...ways.flatMap((way) => ends(field, way)),
    ]
      .filter((part) => part !== "")
      .join("\n\n");

/** What finished coding agents did, as a section of the report. */
export const coderText = (field: CoderField): string => `## Coding agents

Finished coding agents, each with its own tools, without a terminal, measured by \`pnpm field --coders\`. A provider on the loopback interface breaks its replies. What ran is decided by the file that the call writes, not by what the agent says.
A cell is *before → after*: asked directly, then behind the [gateway](../apps/gateway) with its defaults. **R**: the call ran once and whole. **D**: it ran damaged. **2×**: it ran twice. –: nothing ran. Empty: the protocol or the tool cannot express the scenario.

${field.scenarios.map(({ name, title, ...scenario }) => `- **${name}**: ${title}. ${expectedOf(scenario)}`).join("\n")}

${summaryTable(field)}

${matrix(field, effectCell)}

A usage that equals the cap shows a relabelled reply (S6, S6B) only if the request names a cap. An input that is not JSON (a patch, a script) cannot be recognized as cut either.

The requests of each run, and its exit code. \`+\`: it was still asking when its time of two minutes was over. The provider breaks S3 and S4 for ever, which is the worst case.

${matrix(field, effortCell)}

${problems(field)}

Under each agent: what it printed behind the gateway when no call may run, the last sentence of the guard or else the end. If a scenario is named for two days, the agent got it with one protocol on the first and with another on the second.

${field.coders.map(coderSection(field)).join("\n\n")}`;
