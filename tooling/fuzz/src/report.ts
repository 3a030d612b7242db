import { properties } from "./judge.ts";
import type { ProtocolName } from "./protocols.ts";
import type { Counterexample, Result, Tally } from "./run.ts";

const number = (count: number): string => count.toLocaleString("en-US");

/** What came of one protocol. */
export function summary(
  protocol: ProtocolName,
  { tally, seconds, counterexample }: Result,
): string {
  const { replies, whole, finished, unfinished, undecided, given, withheld, hidden } = tally;
  const speed = seconds > 0 ? `, ${number(Math.round(replies / seconds))} a second` : "";
  return [
    `${protocol}: ${number(replies)} replies in ${seconds.toFixed(1)} s${speed}; ${counterexample === undefined ? "no counterexample" : "a counterexample"}`,
    `  ${number(whole)} whole, ${number(replies - whole)} damaged on their way`,
    `  ${number(finished)} finished, ${number(unfinished)} unfinished, ${number(undecided)} left open by the rules`,
    `  calls of ${number(given)} given out, of ${number(withheld)} withheld; ${number(hidden)} with an input that its wire cannot show to be changed`,
    "",
  ].join("\n");
}

/** What the rules left open, the most frequent first. */
export const doubts = ({ doubts: all }: Tally): string =>
  [...all]
    .toSorted(([, a], [, b]) => b - a)
    .map(([what, times]) => `  ${number(times).padStart(7)}  ${what}\n`)
    .join("");

/** Everything that is needed to see a counterexample, and to see it again. */
export function describe(
  protocol: ProtocolName,
  { seed, path, sent, arrived, broken }: Counterexample,
): string {
  const { written, layout, damages } = sent;
  return [
    `${protocol}: "${broken.property}" does not hold. ${properties[broken.property]}`,
    `seed      ${seed}`,
    `host      ${written.host}`,
    `reply     ${JSON.stringify(written.from)}`,
    `layout    ${JSON.stringify(layout)}`,
    `damage    ${JSON.stringify(damages)}`,
    `expected  ${broken.expected}`,
    `actual    ${broken.actual}`,
    `bytes     ${arrived.bytes.length}${arrived.reset ? ", and then the connection failed" : ""}`,
    new TextDecoder().decode(arrived.bytes),
    `again     pnpm fuzz --protocol ${protocol} --seed ${seed} --path ${path}`,
    "",
  ].join("\n");
}
