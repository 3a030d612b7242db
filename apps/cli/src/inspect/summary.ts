import type { RecordingView, ReplyView, RunView, TurnView } from "@fullstop/inspect/view";
import { type Color, createTerminal, type OutputStream, type Terminal } from "../demo/terminal.ts";
import { count, printable } from "../printable.ts";
import { doubtsIn, failedRule, runName, type WithheldCall, withheldCalls } from "./reply-facts.ts";

/** Writes a view for a person: runs, replies with their verdicts, withheld calls, doubts. */
export function describeRecording(view: RecordingView, stream: OutputStream): void {
  const terminal = createTerminal(stream);
  for (const run of view.runs) showRun(run, terminal);
  const doubts = view.runs.flatMap(doubtsIn).length;
  terminal.line();
  terminal.paragraph("", terminal.paint(doubts > 0 ? "red" : "bold", sumUp(view.runs, doubts)));
}

function sumUp(runs: readonly RunView[], doubts: number): string {
  const total = (of: "requests" | "calls" | "withheld"): number =>
    runs.reduce((sum, { totals }) => sum + totals[of], 0);
  return [
    count(runs.length, "run"),
    count(total("requests"), "request"),
    `${count(total("calls"), "call")} issued`,
    `${total("withheld")} withheld`,
    ...(doubts > 0 ? [`${doubts} in doubt`] : []),
  ].join(", ");
}

function showRun(run: RunView, terminal: Terminal): void {
  const { outcome, turns, startedAt, endedAt } = run;
  const seconds = endedAt === undefined ? "" : `${((endedAt - startedAt) / 1000).toFixed(1)} s`;
  terminal.line();
  terminal.rule(`run ${printable(runName(run))}`, {
    note: outcome?.status ?? "no end",
    right: seconds,
  });
  terminal.paragraph("  ", printable(outcome?.summary ?? notEnded));
  for (const turn of turns) showTurn(turn, terminal);
  const doubts = doubtsIn(run);
  if (doubts.length === 0) return;
  terminal.line();
  terminal.paragraph(
    "  ",
    terminal.paint("red", "In doubt: these calls had started, and their outcome is not known."),
  );
  for (const { name, key, id } of doubts)
    terminal.paragraph("    ", `${printable(name)} ${printable(key ?? id)}`);
  terminal.paragraph("    ", terminal.paint("dim", howToSettle));
}

const notEnded = "The recording has no end of this run: it goes on, or its process was killed.";
const howToSettle =
  "Look whether they happened, and say so with `journal.settle` when the run continues.";

function showTurn({ number, replies, calls }: TurnView, terminal: Terminal): void {
  for (const reply of replies) showReply(number, reply, terminal);
  const states = Map.groupBy(calls, ({ state }) => state);
  if (calls.length === 0) return;
  const parts = [...states].map(
    ([state, list]) => `${state}: ${list.map(({ name }) => printable(name)).join(", ")}`,
  );
  terminal.paragraph("      ", terminal.paint("dim", `calls ${parts.join("; ")}`));
}

function showReply(turn: number, reply: ReplyView, terminal: Terminal): void {
  const { id, verdict } = reply;
  const rule = failedRule(reply);
  const [mark, color] = markOf(reply, rule);
  const sign = terminal.paint(color, mark);
  terminal.paragraph(
    "  ",
    `${sign} turn ${turn} reply ${printable(id)}  ${factsOf(reply).join(" · ")}`,
  );
  if (rule !== undefined && verdict !== undefined)
    terminal.paragraph(
      "      ",
      `${terminal.paint("red", rule)}: ${printable(verdict.explanation)}`,
    );
  for (const call of withheldCalls(reply))
    terminal.paragraph("      ", withheldLine(call, terminal));
  const next = nextStep(reply);
  if (next !== undefined) terminal.paragraph("      ", terminal.paint("dim", `the loop: ${next}`));
}

function markOf({ verdict }: ReplyView, rule: string | undefined): readonly [string, Color] {
  if (verdict === undefined) return ["…", "yellow"];
  return rule === undefined ? ["✔", "green"] : ["✖", "red"];
}

function factsOf({ verdict, cap, replayed, kept }: ReplyView): readonly string[] {
  if (verdict === undefined) return ["it is still arriving, or its recording was cut"];
  const { native, stopReason, usage } = verdict;
  return [
    `${printable(native?.stop ?? "no stop reason")} → ${stopReason}`,
    `${usage.output}${cap === undefined ? "" : ` of ${cap}`} output tokens`,
    ...(replayed ? ["from the journal"] : []),
    ...(kept === false ? ["requested again"] : []),
  ];
}

function withheldLine({ name, reason, bytes, detail }: WithheldCall, terminal: Terminal): string {
  const call = terminal.paint("bold", printable(name ?? "a call without a name"));
  const evidence = detail === undefined ? "" : `. ${printable(detail)}`;
  return `withheld ${call}: ${reason}, ${count(bytes, "byte")}${evidence}`;
}

/** What the loop did about a reply, and what that cost. */
function nextStep({ recovery, recoveryCost }: ReplyView): string | undefined {
  if (recovery === undefined || recoveryCost === undefined) return recovery?.action;
  const { requests, usage } = recoveryCost;
  return `${recovery.action} (${count(requests, "request")}, ${usage.output} output tokens)`;
}
