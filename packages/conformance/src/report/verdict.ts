import type { Proof } from "../clause.ts";
import type { Verdict } from "../judge.ts";

/** How many failed proofs a person is shown. */
const shown = 5;
const indented = (text: string): string => text.replaceAll("\n", "\n    ");

const one = ({ at, expected, actual, bytes }: Proof): string =>
  [
    `  at        ${indented(at)}`,
    `  expected  ${indented(expected)}`,
    `  actual    ${indented(actual)}`,
    ...(bytes === undefined ? [] : [`  bytes     ${indented(bytes)}`]),
  ].join("\n");

/** A verdict for a person: the rule, and of what broke it the first few proofs. */
export function report({ clause, status, proofs, broken, reason }: Verdict): string {
  const head = `${clause.id} is ${status}: ${clause.rule}`;
  if (status === "kept") return `${head} (${proofs} proofs)`;
  if (status === "not-claimed") return `${head} (${reason})`;
  return [head, `because ${clause.because}`, ...broken.slice(0, shown).map(one)].join("\n\n");
}
