import { expect, test, vi } from "vitest";
import { approveAnHourLater } from "./an-hour-later.ts";
import {
  allCalls,
  expectPublished,
  hasEnded,
  holdReply,
  publish,
  startedCalls,
} from "./task-log.ts";
import { startTeam } from "./team.ts";

vi.setConfig({ testTimeout: 180_000 });
const team = await startTeam("restate");

const countHolders = async (runId: string): Promise<number> => {
  const held = await team.query(
    "select from fullstop.journal_runs where run_id = $1 and lease_until > clock_timestamp()",
    [runId],
  );
  return held.length;
};

test("a run that one worker started is approved an hour later and finished by another", () =>
  approveAnHourLater(team, { countHolders, workersTakeAnswers: true }));

test("a worker that is killed between two calls is replaced, and nothing is done twice", async () => {
  const runId = "killed";
  const { asked, release } = holdReply(team, 8);
  const first = team.hire();
  await first.until(({ type }) => type === "ready");
  await team.order(["start", runId]);
  await asked;
  expect(await first.end("SIGKILL")).toBe("SIGKILL");
  release();
  const second = team.hire();
  await second.until(hasEnded(runId, "waiting"));
  await team.order(["approve", runId, publish]);
  await second.until(hasEnded(runId, "done"));
  expect(startedCalls(first, second)).toEqual(allCalls);
  expectPublished(team, runId);
});
