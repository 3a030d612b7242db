import { existsSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { clauses, type Finding, finding, judge, type ReportedSubject } from "@fullstop/conformance";
import { agentSubject } from "@fullstop/conformance-cli";
import type { MeasuredSystem } from "@tooling/docs/field";
import { root, sh } from "@tooling/install/process";
import { examples, prepared, versionsIn } from "./install.ts";
import type { System } from "./systems.ts";

/** How systems are asked. */
export interface Measuring {
  /** A clause or a family; all unless told. */
  readonly only?: string | undefined;
  /** Where the drivers are; the suite's examples unless told. */
  readonly drivers?: string | undefined;
  /** Told of each way that was asked. */
  said?(subject: ReportedSubject): void;
}
type Findings = Readonly<Record<string, Finding>>;

/** How long one run may take: several times what the slowest takes. */
const timeoutMs = 60_000;

/** The text without what is this machine's or this run's. */
const common = (text: string): string =>
  text
    .replaceAll(`${root}/`, "")
    .replaceAll(tmpdir(), "/tmp")
    .replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:0");

/** What a finding says, but for what the program printed, which differs from run to run. */
const kept = ({ broken, ...rest }: Finding): Finding => ({
  ...rest,
  broken: broken.map(({ output: _, actual, bytes, ...check }) => ({
    ...check,
    actual: common(actual),
    ...(bytes !== undefined && { bytes: common(bytes) }),
  })),
});

const notRun = (thrown: unknown): Findings => {
  const reason = common(thrown instanceof Error ? thrown.message : String(thrown));
  return Object.fromEntries(
    clauses
      .filter(({ loop }) => loop)
      .map(({ id }) => [id, { status: "not-run", checks: 0, broken: [], reason }]),
  );
};

async function asked(
  command: readonly string[],
  only: string | undefined,
): Promise<{ wire: string; findings: Findings }> {
  const found: Record<string, Finding> = {};
  try {
    const subject = await agentSubject(command, { timeoutMs });
    for await (const verdict of judge(subject, { only, jobs: availableParallelism() }))
      found[verdict.clause.id] = kept(finding(verdict));
    return { wire: subject.wire.name, findings: found };
  } catch (thrown) {
    return { wire: "–", findings: notRun(thrown) };
  }
}

/** The words with those that name files of the driver's written in full. */
const inFolder = (words: readonly string[], folder: string): readonly string[] =>
  words.map((word) => (existsSync(join(folder, word)) ? join(folder, word) : word));

interface Ready {
  readonly folder: string;
  readonly versions: Readonly<Record<string, string>>;
  /** Where it could not be made ready. */
  readonly findings?: Findings;
}

/** Where a system can be started, and the versions of what it is made of. */
async function readied(driver: string, { name, start: [program = ""] }: System): Promise<Ready> {
  const printed = await sh([program, "--version"], { cwd: driver });
  const folder = await prepared(driver, name);
  return {
    folder,
    versions: {
      ...versionsIn(driver, folder),
      [program]: printed.replace(/[^\d]*([\d.]+)\s*/, "$1"),
    },
  };
}

/** A system asked in every way. What cannot be installed or started is not run, and says why. */
export async function measured(
  system: System,
  { only, drivers = examples, said }: Measuring = {},
): Promise<MeasuredSystem> {
  const { name, title, start, ways, note } = system;
  const driver = join(drivers, name);
  const subjects: ReportedSubject[] = [];
  const ready: Ready = await readied(driver, system).catch((thrown: unknown) => ({
    folder: driver,
    versions: {},
    findings: notRun(thrown),
  }));
  const { folder, versions } = ready;
  for (const [way, words] of Object.entries(ways)) {
    const command = [...inFolder(start, folder), ...words];
    const found =
      ready.findings === undefined
        ? await asked(command, only)
        : { wire: "–", findings: ready.findings };
    const again = `pnpm conformance agent -- ${command.map((word) => (word.startsWith(root) ? relative(root, word) : word)).join(" ")}`;
    const subject: ReportedSubject = {
      name: `${title}, ${way}`,
      ...found,
      versions,
      command: again,
    };
    subjects.push(subject);
    said?.(subject);
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
