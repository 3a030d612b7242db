import type { RefObject, VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { PageData } from "../../src/page/page-data.ts";
import type { RecordingView } from "../../src/view/view.ts";
import { CallPane } from "./call-pane.tsx";
import { LiveMarker, useFollowing } from "./following.tsx";
import { Help } from "./help.tsx";
import { useKeys } from "./keys.ts";
import { Outline } from "./outline.tsx";
import type { RecordingSource } from "./recording-source.ts";
import { ReplyPane } from "./reply-pane.tsx";
import { type Row, rowsOf } from "./rows.ts";
import { RunPane } from "./run-pane.tsx";
import { type Filter, matches, passesFilter } from "./search.ts";
import { type Selection, type SelectionActions, useSelection } from "./selection.ts";
import { ThemeSwitch } from "./theme.tsx";
import { Toolbar } from "./toolbar.tsx";

interface AppProps {
  readonly source: RecordingSource;
  readonly data: PageData;
}

/** The page: the list of runs, replies and calls, and the pane of the one that is selected. */
export function App({ source, data }: AppProps): VNode {
  const [view, setView] = useState<RecordingView>(() => source.view());
  const [query, setQuery] = useState("");
  const [filter, setFilter] = useState<Filter>("all");
  const [selection, actions] = useSelection();
  const help = useRef<HTMLDialogElement>(null);
  const rows = useMemo(() => rowsOf(view), [view]);
  const shown = useMemo(
    () => rows.filter((row) => passesFilter(row, filter) && matches(row, query)),
    [rows, filter, query],
  );
  const row = rows.find(({ anchor }) => anchor === selection.anchor) ?? rows[0];
  const anchor = row?.anchor ?? "";
  const following = useFollowing({ data, source, setView, rows, actions });
  useKeys({ rows: shown, anchor, actions: following.reader, openHelp: () => openDialog(help) });
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a key on a link is a click too
    // biome-ignore lint/a11y/noStaticElementInteractions: it handles the links inside
    <div
      class={selection.isOpen ? "page open" : "page"}
      onClick={(event) => openLink(event, following.reader)}
    >
      <TopBar title={data.title} openHelp={() => openDialog(help)}>
        {data.live !== undefined && <LiveMarker following={following} />}
      </TopBar>
      <nav class="side" aria-label="Runs, replies and calls">
        <Toolbar
          rows={rows}
          shown={shown.length}
          query={query}
          filter={filter}
          onQuery={setQuery}
          onFilter={setFilter}
          onEnter={() => shown[0] && following.reader.open(shown[0].anchor)}
        />
        <Outline rows={shown} selected={anchor} />
      </nav>
      <Pane row={row} rows={rows} view={view} selection={selection} actions={actions} />
      <Help dialog={help} />
    </div>
  );
}

const openDialog = (dialog: RefObject<HTMLDialogElement | null>): void =>
  dialog.current?.showModal();

/** A link inside the page selects a row. A second click on the same link opens it too. */
function openLink(event: MouseEvent, actions: SelectionActions): void {
  const target = event.target instanceof Element ? event.target.closest("a") : null;
  const href = target?.getAttribute("href");
  if (!href?.startsWith("#") || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  actions.open(href.slice(1));
}

interface TopBarProps {
  readonly title: string;
  readonly openHelp: () => void;
  readonly children: VNode | false;
}
function TopBar({ title, openHelp, children }: TopBarProps): VNode {
  return (
    <header class="top">
      <h1>
        <span class="brand">
          fullstop
          <i aria-hidden="true" />
        </span>
        <span class="top-title">{title}</span>
      </h1>
      {children}
      <ThemeSwitch />
      <button type="button" class="quiet" onClick={openHelp}>
        <span class="key-cap" aria-hidden="true">
          ?
        </span>
        <span class="wide-only"> Help</span>
        <span class="sr">: keys and signs</span>
      </button>
    </header>
  );
}

interface PaneProps {
  readonly row: Row | undefined;
  readonly rows: readonly Row[];
  readonly view: RecordingView;
  readonly selection: Selection;
  readonly actions: SelectionActions;
}
function Pane({ row, rows, view, selection, actions }: PaneProps): VNode {
  const main = useRef<HTMLElement>(null);
  const anchor = row?.anchor;
  useLayoutEffect(() => {
    if (main.current !== null) main.current.scrollTop = 0;
  }, [anchor]);
  useEffect(() => {
    if (selection.opened > 0)
      main.current?.querySelector<HTMLElement>("h2[tabindex]")?.focus({ preventScroll: true });
  }, [selection.opened]);
  const isLost = selection.anchor !== "" && selection.anchor !== anchor;
  return (
    <main class="pane" ref={main}>
      <button type="button" class="back quiet" onClick={actions.close}>
        <span aria-hidden="true">←</span> List
      </button>
      {isLost && <p class="notice">The address names a line that this recording does not have.</p>}
      <article key={anchor} aria-label={row === undefined ? "Recording" : row.kind}>
        {row === undefined ? <Nothing flaws={view.flaws} /> : paneOf(row, rows, view)}
      </article>
    </main>
  );
}

function paneOf(row: Row, rows: readonly Row[], { flaws }: RecordingView): VNode {
  if (row.kind === "run") return <RunPane row={row} rows={rows} flaws={flaws} />;
  return row.kind === "reply" ? <ReplyPane row={row} /> : <CallPane row={row} />;
}

function Nothing({ flaws }: { readonly flaws: readonly string[] }): VNode {
  return (
    <>
      <h2 tabIndex={-1}>Nothing has been recorded yet.</h2>
      <ul>
        {flaws.map((flaw) => (
          <li key={flaw}>{flaw}</li>
        ))}
      </ul>
    </>
  );
}
