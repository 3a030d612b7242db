import { properties } from "./judge.ts";
import type { ProtocolName } from "./protocols.ts";
import type { Counterexample, Result, Tally } from "./run.ts";

const formatCount = (count: number): string => count.toLocaleString("en-US");

/** The summary of one protocol. */
export function formatSummary(
  protocol: ProtocolName,
  { tally, seconds, counterexample }: Result,
): string {
  const { replies, whole, finished, unfinished, undecided, given, withheld, hidden } = tally;
  const kinds = [...tally.damages].toSorted(([a], [b]) => a.localeCompare(b));
  const speed = seconds > 0 ? `, ${formatCount(Math.round(replies / seconds))} a second` : "";
  return [
    `${protocol}: ${formatCount(replies)} replies in ${seconds.toFixed(1)} s${speed}; ${counterexample === undefined ? "no counterexample" : "a counterexample"}`,
    `  ${formatCount(whole)} whole, ${formatCount(replies - whole)} damaged: ${kinds.map(([kind, times]) => `${kind} ${formatCount(times)}`).join(", ")}`,
    `  ${formatCount(finished)} finished, ${formatCount(unfinished)} unfinished, ${formatCount(undecided)} left open by the rules`,
    `  calls of ${formatCount(given)} issued, of ${formatCount(withheld)} withheld; ${formatCount(hidden)} with an undetectable change of an input`,
    "",
  ].join("\n");
}

/** The doubts, the most frequent first. */
export const formatDoubts = ({ doubts: all }: Tally): string =>
  [...all]
    .toSorted(([, a], [, b]) => b - a)
    .map(([what, times]) => `  ${formatCount(times).padStart(7)}  ${what}\n`)
    .join("");

/** The text of a body. Bytes of binary framings become dots. */
const printable = (bytes: Uint8Array): string =>
  new TextDecoder().decode(bytes).replaceAll(/[^\P{Cc}\r\n\t]|\uFFFD/gu, "·");

/** The report of a counterexample, with the command that reproduces it. */
export function formatCounterexample(
  protocol: ProtocolName,
  { seed, path, guard, door, sent, arrived, broken }: Counterexample,
): string {
  const { written, layout, damages } = sent;
  return [
    `${protocol}: "${broken.property}" is violated. ${properties[broken.property]}`,
    `seed      ${seed}`,
    `host      ${written.host}`,
    `reply     ${JSON.stringify(written.source)}`,
    `layout    ${JSON.stringify(layout)}`,
    `damage    ${JSON.stringify(damages)}`,
    `expected  ${broken.expected}`,
    `actual    ${broken.actual}`,
    `bytes     ${arrived.bytes.length}${arrived.reset ? ", then the connection failed" : ""}`,
    printable(arrived.bytes),
    `again     pnpm fuzz ${guard ? "--guard " : ""}${door === undefined ? "" : `--door ${door} `}--protocol ${protocol} --seed ${seed} --path ${path}`,
    "",
  ].join("\n");
}
