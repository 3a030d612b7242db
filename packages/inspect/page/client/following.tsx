import type { VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { PageData } from "../../src/page/page-data.ts";
import type { RecordingView } from "../../src/view/view.ts";
import { type LiveState, useLive } from "./live.ts";
import type { RecordingSource } from "./recording-source.ts";
import type { Row } from "./rows.ts";
import type { SelectionActions } from "./selection.ts";

interface FollowingOptions {
  readonly data: PageData;
  readonly source: RecordingSource;
  readonly setView: (view: RecordingView) => void;
  readonly rows: readonly Row[];
  readonly actions: SelectionActions;
}

export interface Following {
  readonly state: LiveState;
  readonly isFollowing: boolean;
  readonly setFollowing: (isFollowing: boolean) => void;
  /** The actions of a reader: what a reader chooses stays, so they end the following. */
  readonly reader: SelectionActions;
}

/** Adds what arrives. The newest reply is shown until the reader chooses another line. */
export function useFollowing(options: FollowingOptions): Following {
  const { data, source, setView, rows, actions } = options;
  const [isFollowing, setFollowing] = useState(data.live !== undefined && location.hash === "");
  const state = useLive(data.live?.events, {
    add: (lines) => {
      source.add(lines);
      setView(source.view());
    },
    reset: () => {
      source.reset();
      setView(source.view());
    },
  });
  const newest = rows.findLast(({ kind }) => kind === "reply")?.anchor;
  useEffect(() => {
    if (isFollowing && newest !== undefined) actions.show(newest);
  }, [isFollowing, newest]);
  const reader = useMemo(() => pausing(actions, () => setFollowing(false)), []);
  return { state, isFollowing, setFollowing, reader };
}

const pausing = (actions: SelectionActions, pause: () => void): SelectionActions => ({
  open: (anchor) => {
    pause();
    actions.open(anchor);
  },
  show: (anchor) => {
    pause();
    actions.show(anchor);
  },
  close: actions.close,
});

const stateWords: Readonly<Record<LiveState, string>> = {
  connected: "Live",
  connecting: "Connecting",
  closed: "Not connected",
};

export function LiveMarker({ following }: { readonly following: Following }): VNode {
  const { state, isFollowing, setFollowing } = following;
  return (
    <div class="live">
      <span class={`live-state ${state}`} role="status">
        {stateWords[state]}
      </span>
      <button type="button" aria-pressed={isFollowing} onClick={() => setFollowing(!isFollowing)}>
        {isFollowing ? "Following the newest" : "Follow the newest"}
      </button>
    </div>
  );
}
