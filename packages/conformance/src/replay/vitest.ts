import { describe, test } from "vitest";
import { toRecordings } from "../fixtures/as-recordings.ts";
import type { Verdict } from "../judge.ts";
import { report } from "../report/verdict.ts";
import type { AdapterSubject } from "../subject.ts";
import { recordedClauses, replayClauses } from "./clauses.ts";
import { recordingsIn } from "./folder.ts";
import { type Replay, replay } from "./replay.ts";

/**
 * A test for each clause about recordings. Without a folder, the recordings are the fixtures of the subject's wire,
 * and only the clauses are asked that `conform` does not ask.
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
