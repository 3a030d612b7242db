import type { VNode } from "preact";
import { formatSpan } from "./format.ts";
import { oneLine } from "./marks.ts";
import { Sign } from "./parts.tsx";
import { type Row, timesOf } from "./rows.ts";
import { Windowed } from "./windowed.tsx";

interface OutlineProps {
  readonly rows: readonly Row[];
  readonly selected: string;
}

/** The height of a line, in pixels. The style has the same. */
const lineHeight = 46;
const deepest = 4;

/** Runs, replies and calls, in the order in which they happened. */
export function Outline({ rows, selected }: OutlineProps): VNode {
  if (rows.length === 0) return <p class="muted nothing">Nothing here matches.</p>;
  return (
    <Windowed
      items={rows}
      itemHeight={lineHeight}
      label="Replies and calls"
      className="outline"
      keyOf={(row) => row.anchor}
      current={rows.findIndex((row) => row.anchor === selected)}
      render={(row) => <OutlineRow row={row} isSelected={row.anchor === selected} />}
    />
  );
}

interface OutlineRowProps {
  readonly row: Row;
  readonly isSelected: boolean;
}
function OutlineRow({ row, isSelected }: OutlineRowProps): VNode {
  const [from, to] = timesOf(row);
  return (
    <a
      class={`outline-row ${row.kind} ${row.status.tone}`}
      href={`#${row.anchor}`}
      aria-current={isSelected ? "true" : undefined}
      style={{ paddingLeft: `${12 + Math.min(row.depth, deepest) * 14}px` }}
    >
      <Sign tone={row.status.tone} />
      <span class="outline-words">
        <span class="outline-title">{titleOf(row)}</span>
        <span class="outline-sub">
          <span class={`word ${row.status.tone}`}>{row.status.word}</span>
          <span>{subtitleOf(row)}</span>
        </span>
      </span>
      <span class="outline-time">{formatSpan(from, to)}</span>
    </a>
  );
}

export function titleOf(row: Row): string {
  if (row.kind === "call") return oneLine(row.call.name, 60);
  if (row.kind === "run") {
    return row.run.path.length === 0 ? `Run ${shortId(row.run.runId)}` : "Sub-agent";
  }
  const { attempt } = row.reply;
  return attempt > 1 ? `Turn ${row.turn.number}, request ${attempt}` : `Turn ${row.turn.number}`;
}

/** The first part of a random id. An id that a person chose stays. */
const shortId = (id: string): string =>
  /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id) ? id.slice(0, 8) : oneLine(id, 40);

function subtitleOf(row: Row): string {
  if (row.kind === "call") return oneLine(JSON.stringify(row.call.input), 60);
  if (row.kind === "run") return oneLine(row.run.outcome?.summary ?? "", 80);
  const { reply } = row;
  const names = reply.inputs.map(({ name }) => oneLine(name ?? "a tool without a name", 40));
  const what = names.length > 0 ? names.join(", ") : oneLine(reply.text, 60);
  return reply.reason === undefined ? what : `${reply.reason} · ${what}`;
}
