import type { CallView, RecordingView, ReplyView, RunView, TurnView } from "../../src/view/view.ts";
import { callWords, outcomeWords, replyStatus, type Status } from "./words.ts";

interface RowBase {
  /** The anchor of its link, without `#`. */
  readonly anchor: string;
  /** How deep it is nested: 0 for the run itself. */
  readonly depth: number;
  readonly status: Status;
  readonly run: RunView;
}
export interface RunRow extends RowBase {
  readonly kind: "run";
}
export interface ReplyRow extends RowBase {
  readonly kind: "reply";
  readonly turn: TurnView;
  readonly reply: ReplyView;
}
export interface CallRow extends RowBase {
  readonly kind: "call";
  readonly turn: TurnView;
  readonly call: CallView;
}
/** A line of the outline: a run, a reply or a call. */
export type Row = RunRow | ReplyRow | CallRow;

const anchorOf = (kind: string, ...parts: readonly string[]): string =>
  `${kind}-${parts.map((part) => encodeURIComponent(part.toWellFormed())).join("/")}`;

export const runAnchor = ({ runId, path }: RunView): string => anchorOf("run", runId, ...path);
export const replyAnchor = ({ id }: ReplyView): string => anchorOf("reply", id);
export const callAnchor = (run: RunView, turn: TurnView, call: CallView): string =>
  anchorOf("call", run.runId, ...run.path, String(turn.number), call.key ?? call.id);

/** By `runId` and the key of the call that a sub-agent runs in. */
type Children = Map<string, RunView[]>;
const childKey = (runId: string, path: readonly string[]): string =>
  JSON.stringify([runId, ...path]);

/** Every line of the outline, in order. Sub-agents follow the call that started them. */
export function rowsOf({ runs }: RecordingView): readonly Row[] {
  const children: Children = new Map();
  for (const run of runs) {
    const key = childKey(run.runId, run.path);
    const same = children.get(key);
    if (same === undefined) children.set(key, [run]);
    else same.push(run);
  }
  const placed = new Set<RunView>();
  const roots = runs.filter((run) => run.path.length === 0);
  const nested = roots.flatMap((run) => runRows(run, 0, { children, placed }));
  const orphans = runs.filter((run) => !placed.has(run));
  return [...nested, ...orphans.flatMap((run) => runRows(run, 0, { children, placed }))];
}

interface Placement {
  readonly children: Children;
  readonly placed: Set<RunView>;
}

function runRows(run: RunView, depth: number, placement: Placement): readonly Row[] {
  if (placement.placed.has(run)) return [];
  placement.placed.add(run);
  const head: RunRow = { kind: "run", anchor: runAnchor(run), depth, status: runStatus(run), run };
  return [head, ...run.turns.flatMap((turn) => turnRows(run, turn, depth, placement))];
}

function turnRows(
  run: RunView,
  turn: TurnView,
  depth: number,
  placement: Placement,
): readonly Row[] {
  const replies = turn.replies.map(
    (reply): ReplyRow => ({
      kind: "reply",
      anchor: replyAnchor(reply),
      depth,
      status: replyStatus(reply),
      run,
      turn,
      reply,
    }),
  );
  const calls = turn.calls.flatMap((call): readonly Row[] => {
    const row: CallRow = {
      kind: "call",
      anchor: callAnchor(run, turn, call),
      depth: depth + 1,
      status: callWords[call.state],
      run,
      turn,
      call,
    };
    return [row, ...subAgents(run, call, depth + 2, placement)];
  });
  return [...replies, ...calls];
}

function subAgents(
  run: RunView,
  { key }: CallView,
  depth: number,
  placement: Placement,
): readonly Row[] {
  if (key === undefined) return [];
  const found = placement.children.get(childKey(run.runId, [...run.path, key])) ?? [];
  return found.flatMap((child) => runRows(child, depth, placement));
}

export function runStatus({ outcome }: RunView): Status {
  return outcome === undefined ? { tone: "busy", word: "not ended" } : outcomeWords[outcome.status];
}

/** The part of the time axis that a row takes. */
export function spanOf(row: Row): readonly [from: number, to: number] | undefined {
  const [from, to] = timesOf(row);
  return from === undefined ? undefined : [from, Math.max(from, to ?? from)];
}

/** When a row began and ended, as far as it is known. */
export function timesOf(row: Row): readonly [number | undefined, number | undefined] {
  if (row.kind === "run") return [row.run.startedAt, row.run.endedAt];
  if (row.kind === "call") return [row.call.startedAt, row.call.endedAt];
  const { requestedAt, frames, endedAt } = row.reply;
  return [requestedAt ?? frames[0]?.at, endedAt ?? frames.at(-1)?.at];
}
