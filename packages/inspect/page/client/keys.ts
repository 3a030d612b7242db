import { useLayoutEffect, useRef } from "preact/hooks";
import type { Row } from "./rows.ts";
import type { SelectionActions } from "./selection.ts";

/** What each key does, for the help. */
export const keyHelp: readonly (readonly [keys: string, meaning: string])[] = [
  ["j, k", "next and previous reply"],
  ["↓, ↑", "next and previous line of the list"],
  ["Enter", "open the line"],
  ["Escape", "back to the list, or end the search"],
  ["/", "search"],
  ["?", "this help"],
];

interface KeyContext {
  readonly rows: readonly Row[];
  readonly anchor: string;
  readonly actions: SelectionActions;
  readonly openHelp: () => void;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches("input, textarea, select");
const searchField = (): HTMLElement | null => document.querySelector("#search");
const currentLink = (): HTMLElement | null =>
  document.querySelector('.outline [aria-current="true"]');

/** Listens to the keys of the whole page. */
export function useKeys(context: KeyContext): void {
  const latest = useRef(context);
  latest.current = context;
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (document.querySelector("dialog[open]") !== null) return;
      if (handleKey(event, latest.current)) event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

type KeyAction = (context: KeyContext) => void;
const keyActions: Readonly<Record<string, KeyAction>> = {
  j: (context) => move(context, 1, isReply),
  k: (context) => move(context, -1, isReply),
  ArrowDown: (context) => move(context, 1, isAny),
  ArrowUp: (context) => move(context, -1, isAny),
  "/": () => searchField()?.focus(),
  "?": ({ openHelp }) => openHelp(),
};

/** Returns whether the key did something. */
function handleKey(event: KeyboardEvent, context: KeyContext): boolean {
  const { key, target } = event;
  if (key === "Escape") return leave(target, context);
  if (isTyping(target)) return false;
  if (key.startsWith("Arrow") && !isInList(target)) return false;
  const action = keyActions[key];
  action?.(context);
  return action !== undefined;
}

const isInList = (target: EventTarget | null): boolean =>
  target === document.body || (target instanceof Element && target.closest(".outline") !== null);

function leave(target: EventTarget | null, { actions }: KeyContext): boolean {
  if (isTyping(target) && target !== searchField()) return false;
  actions.close();
  if (target instanceof HTMLElement) target.blur();
  requestAnimationFrame(() => currentLink()?.focus());
  return true;
}

const isReply = (row: Row): boolean => row.kind === "reply";
const isAny = (): boolean => true;

function move(
  { rows, anchor, actions }: KeyContext,
  step: 1 | -1,
  accepts: (row: Row) => boolean,
): void {
  const start = rows.findIndex((row) => row.anchor === anchor);
  for (let index = start + step; index >= 0 && index < rows.length; index += step) {
    const row = rows[index];
    if (row === undefined || !accepts(row)) continue;
    const isInside = isInList(document.activeElement);
    actions.show(row.anchor);
    if (isInside) requestAnimationFrame(() => currentLink()?.focus({ preventScroll: true }));
    return;
  }
}
