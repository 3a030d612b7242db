import type { Proof, Question } from "../clause.ts";
import type { RunRig } from "./rig.ts";
import { lineOf, type Ran } from "./runner.ts";
import type { Listed, Script } from "./scripts.ts";

/** A script, and the run of it. */
export interface Played {
  readonly script: Script;
  readonly ran: Ran;
}

/** What ran, in one line. */
export const outcome = (lines: readonly string[]): string =>
  lines.length === 0 ? "runs nothing" : `runs ${lines.toSorted().join(" and ")}`;

const seen = ({ ran, requests }: Ran): string => (requests.length === 0 ? "made no request" : outcome(ran));

/** Asks each script, at the same time where the rig may, and says of each run what `proofs` says. */
export const over = (list: Listed, proofs: (played: Played, rig: RunRig) => Iterable<Proof>): Question<RunRig> => ({
  unless: (rig) =>
    list(rig).length > 0
      ? undefined
      : `the protocol cannot say it to requests that ${rig.streams ? "stream" : "do not stream"} and name ${rig.cap === undefined ? "no" : "a"} cap`,
  async *prove(rig) {
    const running = list(rig).map((script) => ({ script, run: rig.run(script) }));
    for (const { script, run } of running) yield* proofs({ script, ran: await run }, rig);
  },
});

/** Each script runs what it must, and nothing else. */
export const runs = (list: Listed): Question<RunRig> =>
  over(list, function* ({ script, ran }) {
    const { output } = ran;
    const proof = { at: script.name, expected: outcome(script.runs.map(lineOf)), actual: seen(ran) };
    yield proof.expected === proof.actual || !output ? proof : { ...proof, actual: `${proof.actual}; it said: ${output}` };
  });
