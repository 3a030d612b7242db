import { formatCount, formatMany, oneLine } from "@fullstop/inspect/page-parts";
import type { VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Scene } from "../page/state.ts";
import type { Reading } from "../page/use-reading.ts";
import { framesOf } from "../reply/frames.ts";
import { landmarksOf } from "../reply/landmarks.ts";
import { type LoopName, loopNames, loopTexts } from "../reply/loops.ts";
import { type Runs, type Stretch, stretchesOf } from "../reply/survey.ts";

interface TapeProps {
  readonly scene: Scene;
  readonly cut: number;
  readonly reading: Reading | undefined;
  readonly found: ReadonlyMap<number, Runs> | undefined;
  readonly setCut: (cut: number) => void;
}

/** The reply as a tape: a slider that cuts it, and after which bytes each loop would run calls. */
export function Tape({ scene, cut, reading, found, setCut }: TapeProps): VNode {
  const { length } = scene.whole.bytes;
  const ends = useMemo(() => eventEnds(scene.text), [scene.text]);
  const before = ends.findLast((end) => end < cut) ?? 0;
  const after = ends.find((end) => end > cut) ?? length;
  const words = `${formatCount(cut)} of ${formatMany(length, "byte")}`;
  return (
    <section class="tape" aria-label="The cut">
      <div class="tape-head">
        <label for="cut">Cut the reply</label>
        <span class="place">
          {cut === length ? `nothing is cut: ${formatMany(length, "byte")}` : words}
        </span>
        <div class="buttons">
          <button type="button" disabled={cut === 0} onClick={() => setCut(before)}>
            <span aria-hidden="true">←</span> <span>event</span>
            <span class="sr"> before</span>
          </button>
          <button type="button" disabled={cut === length} onClick={() => setCut(after)}>
            <span>event</span> <span aria-hidden="true">→</span>
            <span class="sr"> after</span>
          </button>
        </div>
      </div>
      <input
        id="cut"
        type="range"
        min={0}
        max={length}
        value={cut}
        aria-valuetext={`${words}. ${summaryOf(reading)}`}
        onInput={(event) => setCut(Number(event.currentTarget.value))}
      />
      <Lanes scene={scene} found={found} cut={cut} reading={reading} />
      <Announcer text={summaryOf(reading)} />
    </section>
  );
}

/** The offsets behind the events, in bytes. */
function eventEnds(text: string): readonly number[] {
  const encoder = new TextEncoder();
  let end = 0;
  return framesOf(text).map(({ raw }) => {
    end += encoder.encode(raw).length;
    return end;
  });
}

/** What would run, in one sentence. */
function summaryOf(reading: Reading | undefined): string {
  if (reading === undefined) return "";
  const { calls, judged } = reading;
  const gate = calls.gate.length;
  const others = loopNames.filter((name) => name !== "gate" && calls[name].length > 0);
  const gateWords =
    gate > 0
      ? `The gate runs ${formatMany(gate, "call")}`
      : `The gate runs nothing (${judged.turn.stopReason})`;
  const otherWords =
    others.length === 0
      ? "no other loop runs one"
      : `these run some: ${others.map((name) => loopTexts[name].label).join(", ")}`;
  return `${gateWords}; ${otherWords}.`;
}

/** Tells a screen reader what would run, when it has not changed for a moment. */
function Announcer({ text }: { readonly text: string }): VNode {
  const [said, say] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => say(text), 500);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <p class="sr" role="status">
      {said}
    </p>
  );
}

type LanesProps = Omit<TapeProps, "setCut">;

/** A picture: the cards below say the same in words for the place of the cut. */
function Lanes({ scene, found, cut, reading }: LanesProps): VNode {
  const { length } = scene.whole.bytes;
  const needle = <span class="needle" style={{ left: `${(cut / Math.max(1, length)) * 100}%` }} />;
  return (
    <div class="lanes" aria-hidden="true">
      <div class="tape-lane reply-lane">
        <span class="lane-label">The reply</span>
        <span class="track">
          <Landmarks scene={scene} />
          {needle}
        </span>
      </div>
      {loopNames.map((name) => {
        const stretches = found === undefined ? [] : stretchesOf(found, length, name);
        const runs = (reading?.calls[name].length ?? 0) > 0;
        return (
          <div key={name} class={`tape-lane ${name}`}>
            <span class={runs ? "lane-label runs" : "lane-label"}>{loopTexts[name].label}</span>
            <span class="track">
              {stretches.map((stretch) => (
                <Segment key={stretch.from} stretch={stretch} length={length} name={name} />
              ))}
              {needle}
            </span>
          </div>
        );
      })}
      <p class="lanes-legend">
        <span>
          <span class="key good" /> the calls of a finished reply
        </span>
        <span>
          <span class="key bad" /> calls that the gate withholds here
        </span>
      </p>
    </div>
  );
}

/** Where the calls and the stop reason are. */
function Landmarks({ scene }: { readonly scene: Scene }): VNode {
  const { text, protocol, whole } = scene;
  const landmarks = useMemo(() => landmarksOf(text, protocol), [text, protocol]);
  return (
    <>
      {landmarks.map(({ kind, label, from, to }, index) => (
        <span
          key={index}
          class={`landmark ${kind}`}
          title={oneLine(label, 80)}
          style={placeOf(from, to, whole.bytes.length)}
        >
          {oneLine(label, 40)}
        </span>
      ))}
    </>
  );
}

const placeOf = (from: number, to: number, length: number): { left: string; width: string } => ({
  left: `min(${(from / length) * 100}%, 100% - 5px)`,
  width: `max(5px, ${((Math.min(to, length) - from) / length) * 100}%)`,
});

interface SegmentProps {
  readonly stretch: Stretch;
  readonly length: number;
  readonly name: LoopName;
}
function Segment({ stretch, length, name }: SegmentProps): VNode {
  const { from, to, runs, agrees } = stretch;
  return (
    <span
      class={agrees || name === "gate" ? "segment good" : "segment bad"}
      title={runs.slice(0, 200)}
      style={placeOf(from, to, length)}
    />
  );
}
