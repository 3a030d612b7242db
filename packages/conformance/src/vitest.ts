import { afterAll, describe, test } from "vitest";
import { clauses } from "./clauses/index.ts";
import type { Host } from "./host.ts";
import { type JudgeOptions, judge, type Verdict } from "./judge.ts";
import { report } from "./report/verdict.ts";
import { selected } from "./select.ts";
import { overSockets } from "./server.ts";
import type { Subject } from "./subject.ts";

export { replays } from "./replay/vitest.ts";

/** What a socket may do otherwise than a `fetch` of our own. */
const onSockets = ["stop.whole", "stop.cut", "stop.abort", "wire.chunks", "wire.reset", "wire.stall", "error.status", "error.unreachable"];

async function verdictOf(subject: Subject, options: JudgeOptions & { readonly only: string }): Promise<Verdict> {
  for await (const verdict of judge(subject, options)) return verdict;
  throw new Error(`No clause is called "${options.only}".`);
}

/** A test for each clause, asked of the subject through an injected `fetch` and, where it makes a difference, over a real socket. */
export function conform(subject: Subject, { exhaustive, only }: Omit<JudgeOptions, "host"> = {}): void {
  let proofs = 0;
  let host: Host | undefined;
  const chosen = selected(only, clauses);
  describe(subject.wire.name, () => {
    for (const { id, rule } of chosen) {
      test(`${id}: ${rule}`, { timeout: 300_000 }, async ({ skip }) => {
        const verdict = await verdictOf(subject, { only: id, exhaustive });
        proofs += verdict.proofs;
        if (verdict.status === "broken") throw new Error(report(verdict));
        if (verdict.status === "not-claimed") skip(verdict.reason);
      });
    }
    for (const id of onSockets.filter((socket) => chosen.some((clause) => clause.id === socket))) {
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
