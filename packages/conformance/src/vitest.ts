import { afterAll, describe, test } from "vitest";
import { type ClauseText, selectClauses } from "./clause.ts";
import { loopClauses } from "./clauses/index.ts";
import { toRecordings } from "./fixtures/corpus.ts";
import type { Host } from "./harness/host.ts";
import { clausesFor, type JudgeOptions, judge, type Verdict } from "./judge.ts";
import { recordedClauses, replayClauses } from "./replay/clauses.ts";
import { type Replay, recordingsIn, replay } from "./replay/replay.ts";
import { report } from "./report/text.ts";
import { overSockets } from "./server.ts";
import type { AdapterSubject, Subject } from "./subject.ts";

/** Clauses that a real connection may break even if an injected `fetch` does not. */
const socketClauses = [
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

/**
 * Returns the verdicts of one judge in its order, so that a run that several clauses look at is
 * made once.
 */
function verdictsInOrder(verdicts: AsyncGenerator<Verdict>): (id: string) => Promise<Verdict> {
  return async (id) => {
    for (let next = await verdicts.next(); !next.done; next = await verdicts.next())
      if (next.value.clause.id === id) return next.value;
    throw new Error(`The judge came to no verdict on ${id}.`);
  };
}

/** Which clauses are tested, how thoroughly, and whether also over sockets. */
export interface ConformOptions extends Omit<JudgeOptions, "host"> {
  /** `false` if another subject with the same transport is tested over sockets. */
  readonly sockets?: false | undefined;
}

/**
 * Defines a test for each clause that fits the subject. An adapter is asked through an injected
 * `fetch`, and some clauses also over a real socket.
 */
export function conform(
  subject: Subject,
  { exhaustive, sample, only, jobs, sockets }: ConformOptions = {},
): void {
  const isAdapter = "adapter" in subject;
  const chosen: readonly ClauseText[] = isAdapter
    ? clausesFor(subject, only)
    : selectClauses(only, loopClauses);
  const overSocket = socketClauses.filter((id) => chosen.some((clause) => clause.id === id));
  const ask = isAdapter
    ? (id: string) => verdictOf(subject, { only: id, exhaustive, sample })
    : verdictsInOrder(judge(subject, { only, jobs }));
  let checks = 0;
  let host: Host | undefined;
  const assertKept = (verdict: Verdict): void => {
    checks += verdict.checks;
    if (verdict.status === "broken") throw new Error(report(verdict));
  };
  describe(subject.wire.name, () => {
    for (const { id, rule } of chosen) {
      test(`${id}: ${rule}`, { timeout: 300_000 }, async ({ skip }) => {
        const verdict = await ask(id);
        assertKept(verdict);
        if (verdict.status === "not-claimed") skip(verdict.reason);
      });
    }
    for (const id of isAdapter && sockets !== false ? overSocket : []) {
      test(`${id}, over a socket`, { timeout: 120_000 }, async () => {
        host ??= await overSockets();
        assertKept(await verdictOf(subject, { only: id, host }));
      });
    }
    afterAll(async () => {
      await host?.close();
      console.log(`${subject.wire.name}: ${checks} checks of ${chosen.length} clauses`);
    });
  });
}

/**
 * A test for each clause about recordings. Without a folder, the recordings are the fixtures of the
 * subject's wire, and only the clauses are asked that `conform` does not ask.
 */
export function replays(subject: AdapterSubject, folder?: string): void {
  const { name, fixtures = [] } = subject.wire;
  if (folder === undefined && fixtures.length === 0)
    throw new Error(`The wire ${name} has no fixtures: pass a folder with recordings.`);
  let replaying: Promise<Replay> | undefined;
  const start = async (): Promise<Replay> =>
    replay(
      subject,
      folder === undefined
        ? fixtures.flatMap(toRecordings)
        : await recordingsIn(folder, subject.wire),
    );
  const verdictOn = async (id: string): Promise<Verdict | undefined> => {
    replaying ??= start();
    for await (const verdict of (await replaying).verdicts({ only: id })) return verdict;
    return undefined;
  };
  describe(`${folder === undefined ? "fixtures" : "recordings"} of ${name}`, () => {
    for (const { id, rule } of folder === undefined ? recordedClauses : replayClauses) {
      test(`${id}: ${rule}`, { timeout: 120_000 }, async ({ skip }) => {
        const verdict = await verdictOn(id);
        if (verdict?.status === "broken") throw new Error(report(verdict));
        if (verdict?.status === "not-claimed") skip(verdict.reason);
      });
    }
  });
}
