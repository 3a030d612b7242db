import { Card, formatBytes, Marked } from "@fullstop/inspect/page-parts";
import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Reading } from "../page/use-reading.ts";

/** A long reply is shown around its cut. */
const around = 6_000;

/** The bytes of the reply as text: what has arrived, the cut, and what does not arrive. */
export function Bytes({ reading }: { readonly reading: Reading }): VNode {
  const { scene, cut } = reading;
  const { bytes } = scene.whole;
  const from = Math.max(0, cut - around);
  const to = Math.min(bytes.length, cut + around);
  const box = useRef<HTMLElement>(null);
  const mark = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (box.current === null || mark.current === null) return;
    const { offsetTop } = mark.current;
    box.current.scrollTop = offsetTop - box.current.clientHeight * 0.6;
  }, [cut, bytes]);
  return (
    <Card title="The bytes" className="bytes" aside={cutWords(cut, bytes.length)}>
      <figure
        class="verbatim tape-text"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keys
        tabIndex={0}
        aria-label="The bytes of the reply"
        dir="ltr"
        ref={box}
      >
        {from > 0 && <span class="skip">{`… ${formatBytes(from)} before …`}</span>}
        <span class="arrived">
          <Marked text={decode(bytes.subarray(from, cut))} />
        </span>
        <mark ref={mark}>
          <span class="sr">{cut < bytes.length ? " the cut " : " the end "}</span>
        </mark>
        <span class="missing">
          <Marked text={decode(bytes.subarray(cut, to))} />
        </span>
        {to < bytes.length && (
          <span class="skip">{`… ${formatBytes(bytes.length - to)} more …`}</span>
        )}
      </figure>
    </Card>
  );
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const cutWords = (cut: number, length: number): string =>
  cut === length ? "all of them arrive" : `${formatBytes(length - cut)} do not arrive`;
