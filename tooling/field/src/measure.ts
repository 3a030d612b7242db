import { availableParallelism } from "node:os";
import { clauses, type Finding, finding, judge, type ReportedSubject } from "@fullstop/conformance";
import {
  agentSubject,
  withoutMachine as cleanText,
  type GatewayOptions,
} from "@fullstop/conformance-cli";
import type { MeasuredSystem } from "@tooling/docs/field";
import { root } from "@tooling/publish/process";
import { findNewest, type PreparedSystem, prepareSystem } from "./prepare.ts";
import type { System } from "./system.ts";

/** How systems are measured. */
export interface MeasureOptions {
  /** A clause or a family; all by default. */
  readonly only?: string | undefined;
  /** A folder with a driver for each system; by default those of this repository. */
  readonly drivers?: string | undefined;
  /** Stands between each system and the model. */
  readonly through?: GatewayOptions | undefined;
  /** Called for each measured configuration. */
  onSubject?(subject: ReportedSubject): void;
}
type Findings = Readonly<Record<string, Finding>>;

/** The text without paths and ports of this machine. */
export const withoutMachine = (text: string): string => cleanText(text, root);

/**
 * What the results keep of a finding: neither traffic nor sources, which the command below each
 * configuration of the report shows, nor why a clause was not asked.
 */
const keptOf = ({ status, checks, broken, reason }: Finding): Finding => ({
  status,
  checks,
  broken: broken.map(({ id, at, expected, actual, severity }) => ({
    ...(id !== undefined && { id }),
    at,
    expected,
    actual: withoutMachine(actual),
    ...(severity !== undefined && { severity }),
  })),
  ...(status === "not-run" && reason !== undefined && { reason }),
});

const notRunFindings = (thrown: unknown): Findings => {
  const reason = withoutMachine(thrown instanceof Error ? thrown.message : String(thrown));
  return Object.fromEntries(
    clauses
      .filter(({ loop }) => loop)
      .map(({ id }) => [id, { status: "not-run", checks: 0, broken: [], reason }]),
  );
};

/** How the loop of a sample recovers is not a fact about the library. */
export const withoutRecoveries = (findings: Findings): Findings =>
  Object.fromEntries(
    Object.entries(findings).map(([id, found]) => [
      id,
      id.startsWith("recovery.") && found.status !== "not-run"
        ? { status: "not-asked", checks: 0, broken: [] }
        : found,
    ]),
  );

type HowToEnd = Pick<System, "finalTool">;

async function judgeAgent(
  command: readonly string[],
  { only, through, finalTool }: Pick<MeasureOptions, "only" | "through"> & HowToEnd,
): Promise<{ wire: string; findings: Findings }> {
  const found: Record<string, Finding> = {};
  try {
    const subject = await agentSubject(command, { through, finalTool });
    // Behind a gateway a client that gets an error waits before it asks again.
    const jobs = availableParallelism() * (through === undefined ? 1 : 2);
    for await (const verdict of judge(subject, { only, jobs, all: true }))
      found[verdict.clause.id] = keptOf(finding(verdict));
    return { wire: subject.wire.name, findings: found };
  } catch (thrown) {
    return { wire: "–", findings: notRunFindings(thrown) };
  }
}

/** The command that repeats a measurement in the root of the repository. */
function commandToRepeat(
  command: readonly string[],
  { through, finalTool }: Pick<MeasureOptions, "through"> & HowToEnd,
): string {
  // A class path holds several paths of this repository in one word.
  const words = command.map((word) => word.replaceAll(`${root}/`, ""));
  const gateway = through && [
    "--through",
    JSON.stringify(through.command.replaceAll(`${root}/`, "")),
    "--through-path",
    through.path,
  ];
  const final = finalTool && ["--final-tool", finalTool];
  return ["pnpm conformance agent", ...(gateway ?? []), ...(final ?? []), "--", ...words].join(" ");
}

/**
 * Measures a system in each configuration. If it cannot be installed or started, its findings are
 * "not run" with the reason.
 */
export async function measureSystem(
  system: System,
  { only, through, drivers, onSubject }: MeasureOptions = {},
): Promise<MeasuredSystem> {
  const { name, title, language, ways, note, finalTool, isSampleLoop } = system;
  const subjects: ReportedSubject[] = [];
  const prepared: PreparedSystem & { readonly findings?: Findings } = await prepareSystem(
    system,
    drivers,
  ).catch((thrown: unknown) => ({ command: [], versions: {}, findings: notRunFindings(thrown) }));
  const { versions } = prepared;
  for (const [way, words] of Object.entries(ways)) {
    const command = [...prepared.command, ...words];
    const found =
      prepared.findings === undefined
        ? await judgeAgent(command, { only, through, finalTool })
        : { wire: "–", findings: prepared.findings };
    const subject: ReportedSubject = {
      name: `${title}, ${way}`,
      wire: found.wire,
      findings: isSampleLoop ? withoutRecoveries(found.findings) : found.findings,
      versions,
      command: commandToRepeat(command, { through, finalTool }),
    };
    subjects.push(subject);
    onSubject?.(subject);
  }
  const version = system.package && versions[system.package];
  const newest = await findNewest(system, drivers);
  return {
    name,
    title,
    language,
    ...(version && { version }),
    ...(newest && { newest }),
    ...(isSampleLoop && { isSampleLoop }),
    ...(note && { note }),
    at: new Date().toISOString(),
    subjects,
  };
}
