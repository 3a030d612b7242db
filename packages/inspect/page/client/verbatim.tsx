import type { VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { byteLength, formatBytes } from "./format.ts";
import { cutAt, splitMarks } from "./marks.ts";

/** A text of at most this length is shown as a whole at once. */
const shortText = 6_000;
/** The ends of a longer text. */
const endLength = 1_500;
/** A long text joins the page in pieces, so that the page stays responsive. */
const pieceLength = 60_000;
/** Above this, the marks of a piece are text and not elements. */
const manyMarks = 400;

interface VerbatimProps {
  readonly text: string;
  /** Which part of a long text matters most. Default: both ends. */
  readonly end?: "start" | undefined;
  readonly label?: string | undefined;
  /** The box is scrolled to its end at first: the end is where a text was cut. */
  readonly isAtEnd?: boolean | undefined;
}

/** For `ref`. It is called when the box joins the page. */
export function scrollToEnd(box: HTMLElement | null): void {
  if (box !== null) box.scrollTop = box.scrollHeight;
}

/** A text exactly as it arrived. Characters that cannot be seen are shown as marks. */
export function Verbatim({ text, end, label, isAtEnd }: VerbatimProps): VNode {
  const [isOpen, setOpen] = useState(false);
  if (text === "") return <p class="verbatim empty">(nothing)</p>;
  if (text.length <= shortText) return <Block label={label} pieces={[text]} isAtEnd={isAtEnd} />;
  if (isOpen) return <WholeText text={text} label={label} />;
  const head = cutAt(text, 0, end === "start" ? endLength * 2 : endLength);
  const tail = end === "start" ? "" : cutAt(text, text.length - endLength, text.length);
  const left = text.length - head.length - tail.length;
  return (
    <div>
      <Block label={label} pieces={[head]} />
      <p class="gap">
        <span>{`… ${formatBytes(left)} are not shown`}</span>
        <button type="button" onClick={() => setOpen(true)}>
          {`Show all ${formatBytes(byteLength(text))}`}
        </button>
      </p>
      {tail !== "" && (
        <Block label={label && `${label}, the end`} pieces={[tail]} isAtEnd={isAtEnd} />
      )}
    </div>
  );
}

/** Adds a piece in each frame of the browser. A piece outside of the window is not laid out. */
function WholeText({
  text,
  label,
}: {
  readonly text: string;
  readonly label?: string | undefined;
}) {
  const pieces = useMemo(() => splitPieces(text), [text]);
  const [shown, setShown] = useState(1);
  useEffect(() => {
    if (shown >= pieces.length) return;
    const frame = requestAnimationFrame(() => setShown(shown + 1));
    return () => cancelAnimationFrame(frame);
  }, [shown, pieces]);
  return <Block label={label} pieces={pieces.slice(0, shown)} />;
}

const splitPieces = (text: string): readonly string[] =>
  Array.from({ length: Math.ceil(text.length / pieceLength) }, (_, index) =>
    cutAt(text, index * pieceLength, (index + 1) * pieceLength),
  );

interface BlockProps {
  readonly pieces: readonly string[];
  readonly label?: string | undefined;
  readonly isAtEnd?: boolean | undefined;
}

/** It scrolls by itself, so it can be focused. */
function Block({ pieces, label, isAtEnd = false }: BlockProps): VNode {
  return (
    <figure
      class="verbatim"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keys
      tabIndex={0}
      aria-label={label ?? "Text"}
      dir="ltr"
      ref={isAtEnd ? scrollToEnd : null}
    >
      {pieces.map((piece, index) => (
        <Piece key={index} text={piece} isOne={pieces.length === 1} />
      ))}
    </figure>
  );
}

function Piece({ text, isOne }: { readonly text: string; readonly isOne: boolean }): VNode {
  // The same element again: a piece is made once, although others join it.
  const marked = useMemo(() => <Marked text={text} />, [text]);
  return <div class={isOne ? "piece" : "piece many"}>{marked}</div>;
}

/** A text with its marks, inside of a line. */
export function Marked({ text }: { readonly text: string }): VNode {
  const segments = splitMarks(text);
  if (segments.length > manyMarks) return <>{segments.map((segment) => segment.text).join("")}</>;
  return (
    <>
      {segments.map((segment, index) =>
        segment.mark ? (
          <span key={index} class="mark" title="A character that cannot be seen">
            {segment.text}
          </span>
        ) : (
          segment.text
        ),
      )}
    </>
  );
}

/** JSON, in a box. */
export function Json({ value, label }: { readonly value: unknown; readonly label: string }): VNode {
  return (
    <Verbatim text={JSON.stringify(value, null, 2) ?? "undefined"} label={label} end="start" />
  );
}
