import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { clauses, type Finding, finding, judge, type ReportedSubject } from "@fullstop/conformance";
import {
  agentSubject,
  withoutMachine as cleanText,
  type GatewayOptions,
} from "@fullstop/conformance-cli";
import type { MeasuredSystem } from "@tooling/docs/field";
import { root, runProgram } from "@tooling/install/process";
import { examples, prepareDriver, versionsIn } from "./install.ts";
import type { System } from "./systems.ts";

/** How systems are measured. */
export interface MeasureOptions {
  /** A clause or a family; all by default. */
  readonly only?: string | undefined;
  /** The folder of the drivers; the examples of the suite by default. */
  readonly drivers?: string | undefined;
  /** Stands between each system and the model. */
  readonly through?: GatewayOptions | undefined;
  /** Called for each measured configuration. */
  onSubject?(subject: ReportedSubject): void;
}
type Findings = Readonly<Record<string, Finding>>;

/** The time limit of one run: several times the slowest one. */
const timeoutMs = 60_000;

/** The text without paths and ports of this machine. */
export const withoutMachine = (text: string): string => cleanText(text, root);

/** A finding without the output of the program, which differs between runs. */
const withoutOutput = ({ broken, all: _, ...rest }: Finding): Finding => ({
  ...rest,
  broken: broken.map(({ output: __, actual, bytes, ...check }) => ({
    ...check,
    actual: withoutMachine(actual),
    ...(bytes !== undefined && { bytes: withoutMachine(bytes) }),
  })),
});

const notRunFindings = (thrown: unknown): Findings => {
  const reason = withoutMachine(thrown instanceof Error ? thrown.message : String(thrown));
  return Object.fromEntries(
    clauses
      .filter(({ loop }) => loop)
      .map(({ id }) => [id, { status: "not-run", checks: 0, broken: [], reason }]),
  );
};

async function judgeAgent(
  command: readonly string[],
  { only, through }: Pick<MeasureOptions, "only" | "through">,
): Promise<{ wire: string; findings: Findings }> {
  const found: Record<string, Finding> = {};
  try {
    const subject = await agentSubject(command, { timeoutMs, through });
    // Behind a gateway a client that gets an error waits before it asks again.
    const jobs = availableParallelism() * (through === undefined ? 1 : 2);
    for await (const verdict of judge(subject, { only, jobs, all: true }))
      found[verdict.clause.id] = withoutOutput(finding(verdict));
    return { wire: subject.wire.name, findings: found };
  } catch (thrown) {
    return { wire: "–", findings: notRunFindings(thrown) };
  }
}

/** Replaces the names of files of the driver with their paths. */
const resolveWords = (words: readonly string[], folder: string): readonly string[] =>
  words.map((word) => (existsSync(join(folder, word)) ? join(folder, word) : word));

interface Ready {
  readonly folder: string;
  readonly versions: Readonly<Record<string, string>>;
  /** The findings if the preparation failed. */
  readonly findings?: Findings;
}

/** The folder in which a system can start, and its versions. */
async function prepareSystem(
  driver: string,
  { name, start: [program = ""] }: System,
): Promise<Ready> {
  const printed = await runProgram([program, "--version"], { cwd: driver });
  const folder = await prepareDriver(driver, name);
  return {
    folder,
    versions: {
      ...versionsIn(driver, folder),
      [program]: printed.replace(/[^\d]*([\d.]+)\s*/, "$1"),
    },
  };
}

/** The command that repeats a measurement in the root of the repository. */
function commandToRepeat(command: readonly string[], through: GatewayOptions | undefined): string {
  const words = command.map((word) => (word.startsWith(root) ? relative(root, word) : word));
  const gateway = through && [
    "--through",
    JSON.stringify(through.command.replaceAll(`${root}/`, "")),
    "--through-path",
    through.path,
  ];
  return ["pnpm conformance agent", ...(gateway ?? []), "--", ...words].join(" ");
}

/**
 * Measures a system in each configuration. If it cannot be installed or started, its findings are
 * "not run" with the reason.
 */
export async function measureSystem(
  system: System,
  { only, through, drivers = examples, onSubject }: MeasureOptions = {},
): Promise<MeasuredSystem> {
  const { name, title, start, ways, note } = system;
  const driver = join(drivers, name);
  const subjects: ReportedSubject[] = [];
  const ready: Ready = await prepareSystem(driver, system).catch((thrown: unknown) => ({
    folder: driver,
    versions: {},
    findings: notRunFindings(thrown),
  }));
  const { folder, versions } = ready;
  for (const [way, words] of Object.entries(ways)) {
    const command = [...resolveWords(start, folder), ...words];
    const found =
      ready.findings === undefined
        ? await judgeAgent(command, { only, through })
        : { wire: "–", findings: ready.findings };
    const subject: ReportedSubject = {
      name: `${title}, ${way}`,
      ...found,
      versions,
      command: commandToRepeat(command, through),
    };
    subjects.push(subject);
    onSubject?.(subject);
  }
  const version = system.package && versions[system.package];
  return {
    name,
    title,
    ...(version && { version }),
    ...(note && { note }),
    at: new Date().toISOString(),
    subjects,
  };
}
