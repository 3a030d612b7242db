import { fillDisks, lockTables } from "./blocks.ts";
import { cutConnections } from "./cuts.ts";
import { deleteJournals } from "./deletions.ts";
import { deployBetween } from "./deployments.ts";
import { killWorkers } from "./kills.ts";
import { pauseWorkers } from "./pauses.ts";
import type { Scenario } from "./scenario.ts";
import { killServer } from "./servers.ts";
import { startTwo } from "./two-workers.ts";

/** The ways to disturb a run, and how often each happens. */
interface ScenarioPlan {
  /** For the table. */
  readonly title: string;
  readonly scenario: Scenario;
  readonly times: number;
  /** With `--quick`. */
  readonly quickTimes: number;
  /** For the page and `--help`. */
  readonly what: string;
}
const plans = {
  kills: {
    title: "workers killed",
    scenario: killWorkers,
    times: 100,
    quickTimes: 6,
    what: "workers killed by SIGKILL, at a random time or operation",
  },
  servers: {
    title: "server killed",
    scenario: killServer,
    times: 10,
    quickTimes: 1,
    what: "the server killed by SIGKILL while runs go on, and started again",
  },
  "two-workers": {
    title: "two workers at once",
    scenario: startTwo,
    times: 12,
    quickTimes: 2,
    what: "two workers started for one run at once",
  },
  pauses: {
    title: "workers paused",
    scenario: pauseWorkers,
    times: 16,
    quickTimes: 2,
    what: "a worker paused by SIGSTOP until another one had its turn, then continued",
  },
  cuts: {
    title: "connections cut",
    scenario: cutConnections,
    times: 24,
    quickTimes: 4,
    what: "connections to the server cut at an operation, or the answer lost",
  },
  deployments: {
    title: "tools changed",
    scenario: deployBetween,
    times: 20,
    quickTimes: 2,
    what: "a worker killed, and the next one with changed tools",
  },
  locks: {
    title: "table locked",
    scenario: lockTables,
    times: 8,
    quickTimes: 1,
    what: "the table of steps locked by another connection until the run ended by itself",
  },
  full: {
    title: "disk full",
    scenario: fillDisks,
    times: 8,
    quickTimes: 1,
    what: "no space for another step until the run ended by itself",
  },
  deletions: {
    title: "journal deleted",
    scenario: deleteJournals,
    times: 16,
    quickTimes: 2,
    what: "the journal deleted while the run went on; it is not started again",
  },
} satisfies Readonly<Record<string, ScenarioPlan>>;
export type ScenarioName = keyof typeof plans;
export const scenarios: Readonly<Record<ScenarioName, ScenarioPlan>> = plans;
export const scenarioNames = Object.keys(plans) as readonly ScenarioName[];
