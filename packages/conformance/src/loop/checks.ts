import type { Check, Question } from "../clause.ts";
import type { RunHarness, Told } from "./harness.ts";
import { lineOf, type Ran } from "./runner.ts";
import type { Listed, Script } from "./scripts.ts";

/** A script, and the run of it. */
export interface Played {
  readonly script: Script;
  readonly ran: Told;
}

/** What ran, in one line. */
export const outcome = (lines: readonly string[]): string =>
  lines.length === 0 ? "runs nothing" : `runs ${lines.toSorted().join(" and ")}`;

const seen = ({ ran, requests }: Ran): string =>
  requests.length === 0 ? "made no request" : outcome(ran);

/** What a clause says of one run. */
export type Found = Pick<Check, "expected" | "actual" | "bytes">;

function proofOf({ script, ran: { said, output } }: Played, found: Found): Check {
  const proof = { at: script.name, ...found };
  if (proof.expected === proof.actual) return proof;
  return { bytes: said, ...proof, ...(output && { output }) };
}

/** Asks each script, at the same time where the rig may, and says of each run what `find` says. */
export const over = (
  list: Listed,
  find: (played: Played, rig: RunHarness) => Found,
): Question<RunHarness> => ({
  unless: (rig) =>
    list(rig).length > 0
      ? undefined
      : `the protocol cannot say it to requests that ${rig.streams ? "stream" : "do not stream"} and name ${rig.cap === undefined ? "no" : "a"} cap`,
  async *prove(rig) {
    const running = list(rig).map((script) => ({ script, run: rig.run(script) }));
    for (const { script, run } of running) {
      const played = { script, ran: await run };
      yield proofOf(played, find(played, rig));
    }
  },
});

/** Each script runs what it must, and nothing else. */
export const runs = (list: Listed): Question<RunHarness> =>
  over(list, ({ script, ran }) => ({
    expected: outcome(script.runs.map(lineOf)),
    actual: seen(ran),
  }));
