import type { VNode } from "preact";
import { useCallback, useState } from "preact/hooks";
import { formatMs, formatSpan } from "./format.ts";
import { titleOf } from "./outline.tsx";
import { Card, Sign } from "./parts.tsx";
import { type Row, spanOf, timesOf } from "./rows.ts";
import { type VisibleRange, Windowed } from "./windowed.tsx";

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The height of a line, in pixels. The style has the same. */
const lineHeight = 28;

/**
 * Requests and tools on one time axis. Tools that run side by side overlap. The axis spans the
 * lines that are in view, so a long run can be read too.
 */
export function Timeline({ rows }: { readonly rows: readonly Row[] }): VNode {
  const [visible, setVisible] = useState<VisibleRange>({ from: 0, to: 20 });
  const onVisible = useCallback((range: VisibleRange) => setVisible(range), []);
  const axis = axisOf(rows.slice(visible.from, visible.to + 1));
  const start = axisOf(rows).from;
  return (
    <Card
      title="Timeline"
      className="timeline-card"
      aside={`+${formatMs(axis.from - start)} to +${formatMs(axis.to - start)}`}
    >
      <Legend />
      <Windowed
        items={rows}
        itemHeight={lineHeight}
        label="Lines of the timeline"
        className="timeline"
        keyOf={(row) => row.anchor}
        onVisible={onVisible}
        render={(row) => <TimelineRow row={row} axis={axis} start={start} />}
      />
    </Card>
  );
}

function Legend(): VNode {
  return (
    <p class="legend" aria-hidden="true">
      <span>
        <i class="key wait" /> waiting for the reply
      </span>
      <span>
        <i class="key stream" /> reply arrives
      </span>
      <span>
        <i class="key tool" /> tool runs
      </span>
      <span>
        <i class="key person" /> a person or a settlement
      </span>
    </p>
  );
}

function axisOf(rows: readonly Row[]): Span {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const row of rows) {
    const span = row.kind === "run" ? undefined : spanOf(row);
    if (span === undefined) continue;
    from = Math.min(from, span[0]);
    to = Math.max(to, span[1]);
  }
  return from <= to ? { from, to: Math.max(to, from + 1) } : { from: 0, to: 1 };
}

interface TimelineRowProps {
  readonly row: Row;
  readonly axis: Span;
  readonly start: number;
}
function TimelineRow({ row, axis, start }: TimelineRowProps): VNode {
  const span = spanOf(row);
  const title = titleOf(row);
  return (
    <a class={`timeline-row ${row.kind}`} href={`#${row.anchor}`}>
      <span class="timeline-label" style={{ paddingLeft: `${Math.min(row.depth, 4) * 12}px` }}>
        <Sign tone={row.status.tone} />
        <span class="timeline-title">{title}</span>
        <span class="sr">{`, ${row.status.word}`}</span>
      </span>
      <span class="track">
        {span !== undefined && row.kind !== "run" && <Bars row={row} axis={axis} />}
      </span>
      <span class="timeline-time">
        {formatSpan(...timesOf(row))}
        {span !== undefined && <span class="sr">{`, at +${formatMs(span[0] - start)}`}</span>}
      </span>
    </a>
  );
}

function placeOf(from: number, to: number, axis: Span): { left: string; width: string } {
  const length = axis.to - axis.from;
  const left = Math.max(0, Math.min(1, (from - axis.from) / length));
  const right = Math.max(left, Math.min(1, (to - axis.from) / length));
  return { left: `${left * 100}%`, width: `max(3px, ${(right - left) * 100}%)` };
}

function Bars({ row, axis }: { readonly row: Row; readonly axis: Span }): VNode | null {
  const span = spanOf(row);
  if (span === undefined || row.kind === "run") return null;
  if (row.kind === "call") {
    const people = row.call.steps.filter(
      ({ type }) => type === "approval" || type === "settlement" || type === "input",
    );
    return (
      <>
        <i class={`seg tool ${row.status.tone}`} style={placeOf(span[0], span[1], axis)} />
        {people.map(({ type, at }) => (
          <i key={`${type} ${at}`} class="dot" title={type} style={placeOf(at, at, axis)} />
        ))}
      </>
    );
  }
  const { firstByteAt = span[0] } = row.reply;
  return (
    <>
      <i class="seg wait" style={placeOf(span[0], firstByteAt, axis)} />
      <i class={`seg stream ${row.status.tone}`} style={placeOf(firstByteAt, span[1], axis)} />
    </>
  );
}
