import { useCallback, useLayoutEffect, useState } from "preact/hooks";

/** Which row is shown, and whether its pane is open (a phone shows either the list or the pane). */
export interface Selection {
  /** Empty: the first row. */
  readonly anchor: string;
  readonly isOpen: boolean;
  /** Grows each time a pane is opened, so that the focus moves into it. */
  readonly opened: number;
}

export interface SelectionActions {
  /** Shows a row and moves the focus to it. The browser's "back" leads to the row before. */
  readonly open: (anchor: string) => void;
  /** Shows a row beside the list. The focus stays. */
  readonly show: (anchor: string) => void;
  readonly close: () => void;
}

const hashAnchor = (): string => location.hash.slice(1);

/** The selection is the hash of the address, so that it can be linked to. */
export function useSelection(): readonly [Selection, SelectionActions] {
  const [selection, setSelection] = useState<Selection>(() => ({
    anchor: hashAnchor(),
    isOpen: hashAnchor() !== "",
    opened: 0,
  }));
  useLayoutEffect(() => {
    const onHash = (): void =>
      setSelection(({ opened }) => ({
        anchor: hashAnchor(),
        isOpen: hashAnchor() !== "",
        opened: opened + 1,
      }));
    addEventListener("popstate", onHash);
    return () => removeEventListener("popstate", onHash);
  }, []);
  const open = useCallback((anchor: string) => {
    if (anchor !== hashAnchor()) history.pushState(null, "", `#${anchor}`);
    setSelection(({ opened }) => ({ anchor, isOpen: true, opened: opened + 1 }));
  }, []);
  const show = useCallback((anchor: string) => {
    history.replaceState(null, "", `#${anchor}`);
    setSelection((known) => ({ ...known, anchor }));
  }, []);
  const close = useCallback(() => setSelection((known) => ({ ...known, isOpen: false })), []);
  return [selection, { open, show, close }];
}
