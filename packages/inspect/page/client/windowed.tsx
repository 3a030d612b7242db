import type { RefObject, VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

export interface VisibleRange {
  readonly from: number;
  readonly to: number;
}

interface WindowedProps<Item> {
  readonly items: readonly Item[];
  /** In pixels, the same for each item. */
  readonly itemHeight: number;
  readonly label: string;
  readonly className: string;
  readonly keyOf: (item: Item) => string;
  readonly render: (item: Item) => VNode;
  readonly onVisible?: ((range: VisibleRange) => void) | undefined;
  /** The item to scroll to when it changes. -1: none. */
  readonly current?: number | undefined;
}

const spare = 8;

/** A list that has elements only for the items in its window. */
export function Windowed<Item>(props: WindowedProps<Item>): VNode {
  const { items, itemHeight, label, className, keyOf, render, onVisible, current = -1 } = props;
  const box = useRef<HTMLElement>(null);
  const { from, to } = useVisibleRange(box, items.length, itemHeight);
  useScrollTo(box, current, itemHeight);
  useEffect(() => onVisible?.({ from, to }), [from, to, items]);
  const first = Math.max(0, from - spare);
  const shown = items.slice(first, to + spare);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keys
    <section class={`windowed ${className}`} ref={box} tabIndex={0} aria-label={label}>
      <ol style={{ height: `${items.length * itemHeight}px` }}>
        {shown.map((item, index) => (
          <li
            key={keyOf(item)}
            aria-setsize={items.length}
            aria-posinset={first + index + 1}
            style={{ top: `${(first + index) * itemHeight}px`, height: `${itemHeight}px` }}
          >
            {render(item)}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Which items the box shows. All of them on paper. */
function useVisibleRange(
  box: RefObject<HTMLElement | null>,
  count: number,
  itemHeight: number,
): VisibleRange {
  const [range, setRange] = useState<VisibleRange>({ from: 0, to: 40 });
  const [isPrinting, setPrinting] = useState(false);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = (): void => {
      const from = Math.floor(element.scrollTop / itemHeight);
      const to = from + Math.ceil(element.clientHeight / itemHeight);
      setRange((known) => (known.from === from && known.to === to ? known : { from, to }));
    };
    measure();
    element.addEventListener("scroll", measure, { passive: true });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      element.removeEventListener("scroll", measure);
      observer.disconnect();
    };
  }, [itemHeight]);
  useLayoutEffect(() => {
    const paper = matchMedia("print");
    const change = (): void => setPrinting(paper.matches);
    change();
    paper.addEventListener("change", change);
    return () => paper.removeEventListener("change", change);
  }, []);
  if (isPrinting) return { from: 0, to: Math.min(count, 2000) };
  return { from: Math.min(range.from, count), to: Math.min(range.to, count) };
}

function useScrollTo(
  box: RefObject<HTMLElement | null>,
  current: number,
  itemHeight: number,
): void {
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || current < 0) return;
    const top = current * itemHeight;
    const bottom = top + itemHeight;
    if (top < element.scrollTop) element.scrollTop = top - itemHeight;
    else if (bottom > element.scrollTop + element.clientHeight)
      element.scrollTop = bottom + itemHeight - element.clientHeight;
  }, [current, itemHeight]);
}
