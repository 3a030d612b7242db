import { type Check, type ClauseText, keptProofs } from "../clause.ts";
import type { Verdict } from "../judge.ts";
import { visible } from "./markup.ts";
import type { Finding } from "./report.ts";
import { statuses } from "./status.ts";

/** The failed proofs that a person is shown: all where all were asked for, else the first few. */
export const shownOf = ({ broken, all }: Pick<Finding, "broken" | "all">): readonly Check[] =>
  all ? broken : broken.slice(0, 5);
const indented = (text: string): string => visible(text).replaceAll("\n", "\n    ");

const one = ({ at, expected, actual, bytes, output }: Check): string =>
  [
    `  at        ${indented(at)}`,
    `  expected  ${indented(expected)}`,
    `  actual    ${indented(actual)}`,
    ...(bytes === undefined ? [] : [`  bytes     ${indented(bytes)}`]),
    ...(output === undefined ? [] : [`  output    ${indented(output)}`]),
  ].join("\n");

/** Of what broke a clause the first few proofs, for a person. */
export function proofsText({
  clause,
  ...found
}: Pick<Finding, "broken" | "all"> & { readonly clause: ClauseText }): string {
  const shown = shownOf(found);
  const left = found.broken.length - shown.length;
  const more =
    left > 0 ? [`  and ${found.broken.length < keptProofs ? "" : "at least "}${left} more`] : [];
  return [`because ${visible(clause.because)}`, ...shown.map(one), ...more].join("\n\n");
}

/** A verdict for a person: the rule, and of what broke it the first few proofs. */
export function report(verdict: Verdict): string {
  const { clause, status, proofs, reason } = verdict;
  const head = `${clause.id} is ${statuses[status].label}: ${visible(clause.rule)}`;
  if (status === "kept") return `${head} (${counted(proofs)})`;
  if (status === "not-claimed") return `${head} (${visible(reason ?? "")})`;
  return `${head}\n\n${proofsText(verdict)}`;
}

/** `1,204 proofs` */
export const counted = (proofs: number): string =>
  `${proofs.toLocaleString("en-US")} ${proofs === 1 ? "proof" : "proofs"}`;

/** What stands beside a finding: why it is not claimed, or how much was tried. */
export const beside = ({ status, reason, proofs }: Finding): string =>
  reason === undefined
    ? status === "not-run"
      ? statuses[status].meaning
      : counted(proofs)
    : visible(reason);
