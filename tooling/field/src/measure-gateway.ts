import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Finding, Report, ReportedSubject } from "@fullstop/conformance";
import {
  type GatewayField,
  type MeasuredGateway,
  type MeasuredRoute,
  type RouteCounts,
  readGateways,
  worstFirst,
} from "@tooling/docs/gateways";
import { root, runProgram, scratch } from "@tooling/publish/process";
import type { FieldGateway, GatewayRun } from "./gateways/gateway.ts";
import { gateways } from "./gateways.ts";
import { withoutMachine } from "./measure.ts";
import { findNewestPackage } from "./newest.ts";

/** The providers are installed in the folder of the app. */
const folder = join(root, "apps/cli");
const command = [
  "--conditions=@fullstop/source",
  join(root, "apps/cli/src/main.ts"),
  "conformance",
  "gateway",
];

/** Asks every clause, and returns the report with every finding. Rejects if it cannot run. */
async function runCommand({ options, start }: GatewayRun, gateway: string): Promise<Report> {
  const output = join(scratch(`gateway-${gateway}`), "report.json");
  const words = ["--all", "--reporter=json", `--output=${output}`, "--jobs=8", "--timeout=60"];
  try {
    await runProgram([process.execPath, ...command, ...options, ...words, "--", ...start], {
      cwd: folder,
    }).catch((thrown: unknown) => {
      // The exit code 1 means that a clause is broken: the report says which.
      if (!(thrown instanceof Error && /` ended with 1:/.test(thrown.message))) throw thrown;
    });
    return JSON.parse(readFileSync(output, "utf8")) as Report;
  } finally {
    rmSync(output, { force: true });
  }
}

/** The ids of the replies that a family finds fault with. */
const idsIn = (
  { findings }: ReportedSubject,
  select: (clause: string) => boolean,
): ReadonlySet<string> =>
  new Set(
    Object.entries(findings).flatMap(([clause, { broken }]) =>
      select(clause) ? broken.flatMap(({ id }) => id ?? []) : [],
    ),
  );

const unsafe = "a call runs that must not";

/** Counts replies; one reply may count in several families. */
export function countRoute(subject: ReportedSubject, { clauses }: Report): RouteCounts {
  const must = (id: string): boolean => clauses.find((one) => one.id === id)?.level === "must";
  const family = (name: string): number =>
    idsIn(subject, (id) => id.startsWith(`${name}.`) && must(id)).size;
  const aboutReplies = (id: string): boolean =>
    !id.startsWith("upstream.") || id === "upstream.sent";
  const all = subject.findings["upstream.sent"]?.checks ?? 0;
  const unsafeIds = new Set(
    Object.values(subject.findings).flatMap(({ broken }) =>
      broken.flatMap(({ id, severity }) => (severity === unsafe && id !== undefined ? [id] : [])),
    ),
  );
  const requests = idsIn(subject, (id) => !aboutReplies(id));
  return {
    replies: all,
    unsafe: unsafeIds.size,
    relabelled: family("relabel"),
    lost: family("loss"),
    merged: family("merge"),
    broken: family("break"),
    details: idsIn(subject, (id) => /^(?:loss|merge)\./.test(id) && !must(id)).size,
    variants: idsIn(subject, (id) => id.startsWith("variant.")).size,
    requests: requests.size,
    kept: all - idsIn(subject, aboutReplies).size,
  };
}

/** How many failed checks of a clause the results keep, the worst first. */
const keptChecks = 2;
const shorten = (text: string): string => (text.length > 400 ? `${text.slice(0, 400)}…` : text);
/** The marks of played replies differ between runs. */
const withoutMarks = (text: string): string =>
  withoutMachine(text).replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "…");

/** A finding with its first checks, without the bytes. */
const shortFinding = ({
  status,
  checks,
  broken,
  reason,
}: Finding): MeasuredRoute["findings"][string] => ({
  status,
  checks,
  failed: broken.length,
  ...(reason !== undefined && { reason }),
  broken: broken
    .toSorted(worstFirst)
    .slice(0, keptChecks)
    .map(({ at, id, severity, expected, actual }) => ({
      at,
      ...(id !== undefined && { id }),
      ...(severity !== undefined && { severity }),
      expected: shorten(withoutMarks(expected)),
      actual: shorten(withoutMarks(actual)),
    })),
});

/** Measures a gateway in all of its pairs of protocols. Rejects if it cannot be installed or asked. */
export async function measureGateway(gateway: FieldGateway): Promise<{
  readonly measured: MeasuredGateway;
  readonly clauses: Report["clauses"];
  readonly suite: string;
}> {
  const { name, title, version, note } = gateway;
  const routes: MeasuredRoute[] = [];
  let last: Report | undefined;
  for (const run of await gateway.prepare()) {
    last = await runCommand(run, name);
    for (const subject of last.subjects) {
      const findings = Object.entries(subject.findings).map(([id, found]) => [
        id,
        shortFinding(found),
      ]);
      routes.push({
        name: subject.name,
        counts: countRoute(subject, last),
        findings: Object.fromEntries(findings) as MeasuredRoute["findings"],
      });
      process.stderr.write(`${title}, ${subject.name}: ${JSON.stringify(routes.at(-1)?.counts)}\n`);
    }
  }
  if (last === undefined) throw new Error(`${title} has no run.`);
  return {
    measured: { name, title, version, ...(note && { note }), at: last.at, routes },
    clauses: last.clauses,
    suite: last.suite,
  };
}

/** Measures gateways. The results of the others stay as they are. */
export async function measureGateways(asked: readonly FieldGateway[]): Promise<GatewayField> {
  const before = readGateways();
  const found = new Map(before?.gateways.map((gateway) => [gateway.name, gateway]));
  let last: Pick<GatewayField, "suite" | "clauses"> | undefined;
  for (const gateway of asked) {
    const { measured, ...about } = await measureGateway(gateway);
    const newest = gateway.origin && (await findNewestPackage(gateway.origin));
    found.set(gateway.name, { ...measured, ...(newest && { newest }) });
    last = about;
  }
  const { suite = before?.suite ?? "", clauses = before?.clauses ?? [] } = last ?? {};
  return { suite, clauses, gateways: gateways.flatMap(({ name }) => found.get(name) ?? []) };
}
