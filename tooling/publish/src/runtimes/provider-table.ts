import { clauses, type Verdict } from "@fullstop/conformance";
import { table } from "@tooling/docs/markdown";
import { brokenLine } from "./judged.ts";

/** A verdict, and the wire of the subject that was asked. */
export interface Asked {
  readonly of: string;
  readonly verdict: Verdict;
}

/** The verdicts of one protocol of a provider package, over all of its hosts. */
export interface Column {
  readonly name: string;
  readonly asked: readonly Asked[];
}

const headings = { kept: "✓", broken: "**broken**", "not-claimed": "–", "not-asked": "" } as const;

/** The cell of a clause: kept by all hosts, or by how many of those that were asked. */
function cellOf(verdicts: readonly Verdict[]): string {
  const of = (status: Verdict["status"]): number =>
    verdicts.filter((verdict) => verdict.status === status).length;
  if (of("broken") > 0) return headings.broken;
  const [kept, notClaimed] = [of("kept"), of("not-claimed")];
  if (kept > 0 && notClaimed > 0) return `${kept} of ${kept + notClaimed}`;
  return kept > 0 ? headings.kept : headings[notClaimed > 0 ? "not-claimed" : "not-asked"];
}

/** Each reason once, with the clauses and the hosts that give it. */
function reasonsOf({ name, asked }: Column): readonly string[] {
  const reasons = new Map<string, { clauses: Set<string>; hosts: Set<string> }>();
  for (const { of, verdict } of asked) {
    if (verdict.status !== "not-claimed") continue;
    const reason = verdict.reason ?? "";
    const entry = reasons.get(reason) ?? { clauses: new Set(), hosts: new Set() };
    reasons.set(reason, entry);
    entry.clauses.add(verdict.clause.id);
    entry.hosts.add(of);
  }
  const several = new Set(asked.map(({ of }) => of)).size > 1;
  return [...reasons].map(([reason, { clauses, hosts }]) => {
    const ids = [...clauses].map((id) => `\`${id}\``).join(", ");
    return `- **${name}**, ${ids}${several ? ` (${[...hosts].join("; ")})` : ""}: ${reason}.`;
  });
}

/** The table of providers and clauses as Markdown, and a line for each broken clause. */
export function providerTable(columns: readonly Column[]): {
  readonly text: string;
  readonly broken: readonly string[];
} {
  const asked = new Set(
    columns.flatMap((column) => column.asked.map(({ verdict }) => verdict.clause.id)),
  );
  const ids = clauses.map(({ id }) => id).filter((id) => asked.has(id));
  const rows = ids.map((id) => [
    `\`${id}\``,
    ...columns.map(({ asked }) =>
      cellOf(asked.flatMap(({ verdict }) => (verdict.clause.id === id ? [verdict] : []))),
    ),
  ]);
  const head = ["clause", ...columns.map(({ name }) => name)];
  const broken = columns.flatMap(({ name, asked }) =>
    asked.flatMap(({ of, verdict }) => brokenLine(of, verdict).map((line) => `${name}, ${line}`)),
  );
  const reasons = columns.flatMap(reasonsOf);
  return {
    text: [table(head, rows), "", "Not claimed, and why:", "", ...reasons].join("\n"),
    broken,
  };
}
