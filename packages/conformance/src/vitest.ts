import { checkGiven } from "@fullstop/core/adapter";
import { afterAll, describe, test } from "vitest";
import { assertKept, testClauses } from "./clause-tests.ts";
import { toRecordings } from "./fixtures/corpus.ts";
import type { Host } from "./harness/host.ts";
import { askSubject, type JudgeOptions, judge } from "./judge.ts";
import type { Verdict } from "./judge-clause.ts";
import { recordedClauses, replayClauses } from "./replay/clauses.ts";
import { type Replay, recordingsIn, replay } from "./replay/replay.ts";
import { describeNotAsked } from "./report/text.ts";
import { assertRuntime } from "./runtime.ts";
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
  checkGiven(subject?.wire, "conform", "a subject with a `wire`");
  assertRuntime();
  let checks = 0;
  const verdicts = new Map<string, Verdict>();
  let host: Host | undefined;
  const onVerdict = (verdict: Verdict): void => {
    checks += verdict.checks;
    verdicts.set(verdict.clause.id, verdict);
  };
  const askOverSocket = async (clause: string): Promise<void> => {
    host ??= await overSockets();
    for await (const verdict of judge(subject, { only: clause, sample, host })) {
      onVerdict(verdict);
      assertKept(verdict);
    }
  };
  const { name } = subject.wire;
  describe(name, () => {
    const asked = testClauses({ timeout: 300_000, onVerdict }, () =>
      askSubject(subject, { only, exhaustive, sample, jobs }),
    );
    if ("adapter" in subject && sockets !== false)
      for (const { clause } of asked)
        if (socketClauses.includes(clause.id))
          test(`${clause.id}, over a socket`, { timeout: 120_000 }, () => askOverSocket(clause.id));
    afterAll(async () => {
      await host?.close();
      const counted = `${name}: ${checks} checks of ${asked.length} clauses`;
      console.log([counted, ...describeNotAsked([...verdicts.values()])].join("; "));
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
  checkGiven(subject?.wire, "replays", "a subject with a `wire`");
  assertRuntime();
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
  describe(`${folder === undefined ? "fixtures" : "recordings"} of ${name}`, () => {
    testClauses({ timeout: 120_000 }, () =>
      (folder === undefined ? recordedClauses : replayClauses).map((clause) => ({
        clause,
        ask: async () => {
          replaying ??= start();
          const verdicts = (await replaying).verdicts({ only: clause.id, sample });
          return (await verdicts.next()).value as Verdict;
        },
      })),
    );
  });
}
