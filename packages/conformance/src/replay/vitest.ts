import { describe, test } from "vitest";
import type { Verdict } from "../judge.ts";
import { report } from "../report/verdict.ts";
import type { AdapterSubject } from "../subject.ts";
import { goldenFolder } from "./builtin.ts";
import { replayClauses } from "./clauses.ts";
import { recordingsIn } from "./recording.ts";
import { type Replay, replay } from "./replay.ts";

/** A test for each clause that can be asked of recordings, asked of those in a folder: unless told, the golden replies of the subject's wire. */
export function replays(
  subject: AdapterSubject,
  folder: string | undefined = goldenFolder(subject.wire),
): void {
  if (folder === undefined)
    throw new Error(
      `The wire ${subject.wire.name} has no golden replies: name a folder with recordings.`,
    );
  let replaying: Promise<Replay> | undefined;
  const verdictOf = async (id: string): Promise<Verdict | undefined> => {
    replaying ??= recordingsIn(folder, subject.wire).then((recordings) =>
      replay(subject, recordings),
    );
    for await (const verdict of (await replaying).verdicts({ only: id })) return verdict;
    return undefined;
  };
  describe(`recorded replies of ${subject.wire.name}`, () => {
    for (const { id, rule } of replayClauses) {
      test(`${id}: ${rule}`, { timeout: 120_000 }, async ({ skip }) => {
        const verdict = await verdictOf(id);
        if (verdict?.status === "broken") throw new Error(report(verdict));
        if (verdict?.status === "not-claimed") skip(verdict.reason);
      });
    }
  });
}
