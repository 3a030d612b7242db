import { afterAll, describe, test } from "vitest";
import type { ClauseText } from "./clause.ts";
import { clauses } from "./clauses/index.ts";
import { runClauses } from "./clauses/running.ts";
import type { Host } from "./host.ts";
import { type JudgeOptions, judge, type Verdict } from "./judge.ts";
import { report } from "./report/verdict.ts";
import { selected } from "./select.ts";
import { overSockets } from "./server.ts";
import type { Subject } from "./subject.ts";

export { replays } from "./replay/vitest.ts";

/** What a socket may do otherwise than a `fetch` of our own. */
const onSockets = [
  "stop.whole",
  "stop.cut",
  "stop.abort",
  "wire.chunks",
  "wire.reset",
  "wire.stall",
  "error.status",
  "error.unreachable",
];

async function verdictOf(
  subject: Subject,
  options: JudgeOptions & { readonly only: string },
): Promise<Verdict> {
  for await (const verdict of judge(subject, options)) return verdict;
  throw new Error(`No clause is called "${options.only}".`);
}

/** The verdicts of one judge, taken in its order: runs that several clauses look at are made once. */
function inTurn(verdicts: AsyncGenerator<Verdict>): (id: string) => Promise<Verdict> {
  return async (id) => {
    for (let next = await verdicts.next(); !next.done; next = await verdicts.next())
      if (next.value.clause.id === id) return next.value;
    throw new Error(`The judge came to no verdict on ${id}.`);
  };
}

/** How much is asked of a subject. */
/** How a subject is asked by tests: which clauses, how thoroughly, and whether over sockets too. */
export interface ConformOptions extends Omit<JudgeOptions, "host"> {
  /** `false` where another subject with the same transport is asked over sockets. */
  readonly sockets?: false | undefined;
}

/** A test for each clause that fits the subject. An adapter is asked through an injected `fetch` and, where it makes a difference, over a real socket. */
export function conform(
  subject: Subject,
  { exhaustive, only, jobs, sockets }: ConformOptions = {},
): void {
  let proofs = 0;
  let host: Host | undefined;
  const runs = !("adapter" in subject);
  const chosen = selected<ClauseText>(only, runs ? runClauses : clauses);
  const ask = runs
    ? inTurn(judge(subject, { only, jobs }))
    : (id: string) => verdictOf(subject, { only: id, exhaustive });
  describe(subject.wire.name, () => {
    for (const { id, rule } of chosen) {
      test(`${id}: ${rule}`, { timeout: 300_000 }, async ({ skip }) => {
        const verdict = await ask(id);
        proofs += verdict.proofs;
        if (verdict.status === "broken") throw new Error(report(verdict));
        if (verdict.status === "not-claimed") skip(verdict.reason);
      });
    }
    for (const id of runs || sockets === false
      ? []
      : onSockets.filter((socket) => chosen.some((clause) => clause.id === socket))) {
      test(`${id}, over a socket`, { timeout: 120_000 }, async () => {
        host ??= await overSockets();
        const verdict = await verdictOf(subject, { only: id, host });
        proofs += verdict.proofs;
        if (verdict.status === "broken") throw new Error(report(verdict));
      });
    }
    afterAll(async () => {
      await host?.close();
      console.log(`${subject.wire.name}: ${proofs} proofs of ${chosen.length} clauses`);
    });
  });
}
