import type { RecordingView, ReplyView, RunView, TurnView } from "@fullstop/inspect/view";
import type { OutputStream } from "../demo/terminal.ts";
import { failedRule, withheldCalls } from "./reply-facts.ts";

/** Writes a view as JSON lines. */
export function writeJsonLines({ runs, flaws }: RecordingView, stream: OutputStream): void {
  for (const value of [...runs.flatMap(linesOf), ...flaws.map((note) => ({ type: "note", note }))])
    stream.write(`${JSON.stringify(value)}\n`);
}

function linesOf(run: RunView): readonly object[] {
  const { runId, path, startedAt, endedAt, outcome, totals, turns } = run;
  const { status, summary } = outcome ?? {};
  const place = { runId, path };
  const steps = turns.flatMap((turn) => [
    ...turn.replies.map((reply) => ({ type: "reply", ...place, ...replyLine(turn, reply) })),
    ...turn.calls.map(({ id, key, name, state, startedAt: at, endedAt: end }) => {
      const times = { startedAt: at, endedAt: end };
      return { type: "call", ...place, turn: turn.number, id, key, name, state, ...times };
    }),
  ]);
  return [{ type: "run", ...place, startedAt, endedAt, status, summary, totals }, ...steps];
}

function replyLine({ number }: TurnView, reply: ReplyView): object {
  const { id, from, attempt, cap, replayed, kept, verdict, recovery, recoveryCost } = reply;
  return {
    turn: number,
    id,
    from,
    attempt,
    cap,
    replayed,
    kept,
    stopReason: verdict?.stopReason,
    native: verdict?.native?.stop,
    usage: verdict?.usage,
    rule: failedRule(reply),
    withheld: withheldCalls(reply),
    recovery: recovery?.action,
    recoveryCost,
  };
}
