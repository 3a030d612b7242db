import { afterAll, describe, test } from "vitest";
import { type ClauseText, selectClauses } from "./clause.ts";
import { assertKept, testClause } from "./clause-tests.ts";
import { loopClauses } from "./clauses/index.ts";
import { toRecordings } from "./fixtures/corpus.ts";
import type { Host } from "./harness/host.ts";
import { type AskAdapter, askAdapter, clausesFor, type JudgeOptions, judge } from "./judge.ts";
import type { Verdict } from "./judge-clause.ts";
import { recordedClauses, replayClauses } from "./replay/clauses.ts";
import { type Replay, recordingsIn, replay } from "./replay/replay.ts";
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

/**
 * Lets the clauses of an adapter share what they read. A clause that is still asked after its time
 * limit shares nothing with the next one, and neither do clauses in concurrent tests.
 */
function shareIdle(create: () => AskAdapter): AskAdapter {
  let idle: AskAdapter | undefined;
  return async (clause) => {
    const ask = idle ?? create();
    idle = undefined;
    const verdict = await ask(clause);
    idle = ask;
    return verdict;
  };
}

/**
 * Returns the verdicts of one judge in its order, so that a run that several clauses look at is
 * made once.
 */
function verdictsInOrder(verdicts: AsyncGenerator<Verdict>): (id: string) => Promise<Verdict> {
  return async (id) => {
    for (let next = await verdicts.next(); !next.done; next = await verdicts.next())
      if (next.value.clause.id === id) return next.value;
    throw new Error(`The judge gave no verdict on ${id}.`);
  };
}

interface ClauseTest {
  readonly clause: ClauseText;
  ask(): Promise<Verdict>;
}

function testsOfAdapter(subject: AdapterSubject, options: JudgeOptions): readonly ClauseTest[] {
  const ask = shareIdle(() => askAdapter(subject, options));
  return clausesFor(subject, options.only).map((clause) => ({ clause, ask: () => ask(clause) }));
}

function testsOfLoop(subject: Subject, options: JudgeOptions): readonly ClauseTest[] {
  const ask = verdictsInOrder(judge(subject, options));
  return selectClauses(options.only, loopClauses).map((clause) => ({
    clause,
    ask: () => ask(clause.id),
  }));
}

/** A clause that is also asked over a real connection. */
interface SocketTest {
  readonly clause: ClauseText;
  ask(host: Host): Promise<Verdict>;
}

const socketTests = (
  subject: AdapterSubject,
  { only, sample }: JudgeOptions,
): readonly SocketTest[] =>
  clausesFor(subject, only)
    .filter(({ id }) => socketClauses.includes(id))
    .map((clause) => ({ clause, ask: (host) => askAdapter(subject, { host, sample })(clause) }));

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
  const asked =
    "adapter" in subject
      ? testsOfAdapter(subject, { only, exhaustive, sample })
      : testsOfLoop(subject, { only, jobs });
  const overSocket =
    "adapter" in subject && sockets !== false ? socketTests(subject, { only, sample }) : [];
  let checks = 0;
  let host: Host | undefined;
  const count = (verdict: Verdict): Verdict => {
    checks += verdict.checks;
    return verdict;
  };
  describe(subject.wire.name, () => {
    for (const { clause, ask } of asked)
      testClause(clause, 300_000, async () => count(await ask()));
    for (const { clause, ask } of overSocket) {
      test(`${clause.id}, over a socket`, { timeout: 120_000 }, async () => {
        host ??= await overSockets();
        assertKept(count(await ask(host)));
      });
    }
    afterAll(async () => {
      await host?.close();
      console.log(`${subject.wire.name}: ${checks} checks of ${asked.length} clauses`);
    });
  });
}

/** Which recordings are read, and how thoroughly. */
export interface ReplaysOptions extends Pick<JudgeOptions, "sample"> {
  readonly folder?: string | undefined;
}

/**
 * A test for each clause about recordings. Without a folder, the recordings are the fixtures of the
 * subject's wire, and only the clauses are asked that `conform` does not ask.
 */
export function replays(subject: AdapterSubject, { folder, sample }: ReplaysOptions = {}): void {
  const { name, fixtures = [] } = subject.wire;
  if (folder === undefined && fixtures.length === 0)
    throw new Error(`The wire ${name} has no fixtures: pass a folder with recordings.`);
  let replaying: Promise<Replay> | undefined;
  const start = async (): Promise<Replay> =>
    replay(
      subject,
      folder === undefined
        ? fixtures.flatMap((fixture) => toRecordings(subject.wire, fixture))
        : await recordingsIn(folder, subject.wire),
    );
  const verdictOn = async (id: string): Promise<Verdict> => {
    replaying ??= start();
    for await (const verdict of (await replaying).verdicts({ only: id, sample })) return verdict;
    throw new Error(`The judge gave no verdict on ${id}.`);
  };
  describe(`${folder === undefined ? "fixtures" : "recordings"} of ${name}`, () => {
    for (const clause of folder === undefined ? recordedClauses : replayClauses)
      testClause(clause, 120_000, () => verdictOn(clause.id));
  });
}
