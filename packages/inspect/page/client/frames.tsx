import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { FrameView, ReplyView } from "../../src/view/view.ts";
import { formatBytes, formatCount, formatMs } from "./format.ts";
import { oneLine } from "./marks.ts";
import { Card } from "./parts.tsx";
import { Json } from "./verbatim.tsx";

const barCount = 96;

/** The part of the time axis that a bar stands for. */
interface Bar {
  readonly bytes: number;
  /** The position of its first frame in the list. -1: nothing arrived then. */
  readonly first: number;
}

interface Axis {
  readonly from: number;
  readonly to: number;
}

/** When the parts of a reply arrived, how large they were, and each of them as JSON. */
export function Frames({ reply }: { readonly reply: ReplyView }): VNode {
  const { frames } = reply;
  const [chosen, choose] = useState(0);
  const axis = axisOf(reply);
  const bars = useMemo(() => barsOf(frames, axis), [frames, frames.length, axis.from, axis.to]);
  const index = Math.min(chosen, frames.length - 1);
  const frame = frames[index];
  if (frame === undefined) {
    return (
      <Card title="Frames">
        <p class="muted">
          {reply.replayed
            ? "The reply comes from the journal: nothing arrived."
            : "The recording has no frames of this reply."}
        </p>
      </Card>
    );
  }
  const bytes = frames.reduce((sum, { bytes: size }) => sum + size, 0);
  return (
    <Card
      title="Frames"
      className="frames"
      aside={`${formatCount(frames.length)} frames, ${formatBytes(bytes)}`}
    >
      <Strip bars={bars} current={index} choose={choose} axis={axis} reply={reply} />
      <FramePicker frames={frames} index={index} choose={choose} from={axis.from} />
      <details class="natives">
        <summary>{`Frame ${formatCount(index + 1)} as JSON`}</summary>
        <Json value={frame.natives} label={`Frame ${index + 1} as JSON`} />
      </details>
    </Card>
  );
}

function axisOf({ requestedAt, frames, endedAt, inputs }: ReplyView): Axis {
  const from = requestedAt ?? frames[0]?.at ?? 0;
  const closed = inputs.map(({ closedAt }) => closedAt ?? from);
  return { from, to: Math.max(from + 1, frames.at(-1)?.at ?? from, endedAt ?? from, ...closed) };
}

const shareOf = (at: number, { from, to }: Axis): number =>
  Math.max(0, Math.min(1, (at - from) / (to - from)));

function barsOf(frames: readonly FrameView[], axis: Axis): readonly Bar[] {
  const bars: Bar[] = Array.from({ length: barCount }, () => ({ bytes: 0, first: -1 }));
  frames.forEach(({ at, bytes }, index) => {
    const place = Math.min(barCount - 1, Math.floor(shareOf(at, axis) * barCount));
    const bar = bars[place];
    if (bar === undefined) return;
    bars[place] = { bytes: bar.bytes + bytes, first: bar.first < 0 ? index : bar.first };
  });
  return bars;
}

interface StripProps {
  readonly bars: readonly Bar[];
  readonly current: number;
  readonly choose: (index: number) => void;
  readonly axis: Axis;
  readonly reply: ReplyView;
}

/** A picture of the list below it: each bar can be clicked, and the list has the keys. */
function Strip({ bars, current, choose, axis, reply }: StripProps): VNode {
  const largest = Math.max(1, ...bars.map(({ bytes }) => bytes));
  const last = bars.findLast(({ first }) => first >= 0 && first <= current);
  return (
    <div class="strip" aria-hidden="true">
      <div class="strip-bars">
        {bars.map((bar, index) => (
          <StripBar
            key={index}
            bar={bar}
            height={Math.sqrt(bar.bytes / largest)}
            isCurrent={bar === last}
            choose={choose}
          />
        ))}
      </div>
      <InputLanes reply={reply} axis={axis} />
      <p class="strip-axis">
        <span>{reply.requestedAt === undefined ? "first frame" : "request sent"}</span>
        <span>{formatMs(axis.to - axis.from)}</span>
      </p>
    </div>
  );
}

interface StripBarProps {
  readonly bar: Bar;
  /** From 0 to 1. */
  readonly height: number;
  readonly isCurrent: boolean;
  readonly choose: (index: number) => void;
}
function StripBar({ bar, height, isCurrent, choose }: StripBarProps): VNode {
  if (bar.first < 0) return <span class="strip-bar" />;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the picture is hidden from readers; the list has the keys
    // biome-ignore lint/a11y/noStaticElementInteractions: the same
    <span
      class={isCurrent ? "strip-bar full current" : "strip-bar full"}
      title={formatBytes(bar.bytes)}
      onClick={() => choose(bar.first)}
    >
      <i style={{ height: `${Math.max(8, height * 100)}%` }} />
    </span>
  );
}

const manyLanes = 12;
/** From the start of each input to where the protocol closed it, or to the end of the reply. */
function InputLanes({ reply, axis }: Pick<StripProps, "reply" | "axis">): VNode {
  return (
    <>
      {reply.inputs.slice(0, manyLanes).map(({ key, name, startedAt, closedAt }) => {
        const left = shareOf(startedAt, axis);
        const width = Math.max(0.01, shareOf(closedAt ?? axis.to, axis) - left);
        return (
          <p key={key} class="lane">
            <span
              class={closedAt === undefined ? "lane-bar open" : "lane-bar closed"}
              style={{ left: `${left * 100}%`, width: `${width * 100}%` }}
            />
            <span class="lane-name" style={{ left: `${Math.min(left, 0.6) * 100}%` }}>
              {`${oneLine(name ?? "input", 40)} · ${closedAt === undefined ? "never closed" : "closed"}`}
            </span>
          </p>
        );
      })}
    </>
  );
}

interface PickerProps {
  readonly frames: readonly FrameView[];
  readonly index: number;
  readonly choose: (index: number) => void;
  /** When the time axis begins. */
  readonly from: number;
}
function FramePicker({ frames, index, choose, from }: PickerProps): VNode {
  const frame = frames[index];
  const words = `Frame ${formatCount(index + 1)} of ${formatCount(frames.length)}`;
  return (
    <div class="picker">
      <button type="button" disabled={index === 0} onClick={() => choose(index - 1)}>
        <span aria-hidden="true">←</span>
        <span class="sr">Frame before</span>
      </button>
      <input
        type="range"
        min={0}
        max={frames.length - 1}
        value={index}
        aria-label="Frame"
        aria-valuetext={words}
        onInput={(event) => choose(Number(event.currentTarget.value))}
      />
      <button type="button" disabled={index >= frames.length - 1} onClick={() => choose(index + 1)}>
        <span aria-hidden="true">→</span>
        <span class="sr">Frame after</span>
      </button>
      <span class="numbers">
        {`${words} · ${formatBytes(frame?.bytes ?? 0)} · +${formatMs(Math.max(0, (frame?.at ?? from) - from))}`}
      </span>
    </div>
  );
}
