import { useEffect, useState } from "preact/hooks";

/** What feeds a live page. */
export interface LiveSink {
  /** A line of the recording. */
  readonly add: (lines: readonly string[]) => void;
  readonly reset: () => void;
}

export type LiveState = "connected" | "connecting" | "closed";

/**
 * Reads lines from the server that the page comes from. Lines that arrive before the browser draws
 * are added together. A line that arrived already (after a reconnection) is not added again.
 */
export function useLive(events: string | undefined, sink: LiveSink): LiveState {
  const [state, setState] = useState<LiveState>("connecting");
  useEffect(() => {
    if (events === undefined) return;
    const source = new EventSource(events);
    const batch = createBatch(sink);
    source.onopen = () => setState("connected");
    source.onerror = () =>
      setState(source.readyState === EventSource.CLOSED ? "closed" : "connecting");
    source.onmessage = (event: MessageEvent<string>) =>
      batch.push(event.data, Number(event.lastEventId));
    source.addEventListener("reset", () => batch.reset());
    return () => {
      source.close();
      batch.stop();
    };
  }, [events]);
  return state;
}

function createBatch(sink: LiveSink) {
  let lines: string[] = [];
  let last = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    timer = undefined;
    const ready = lines;
    lines = [];
    if (ready.length > 0) sink.add(ready);
  };
  return {
    push(line: string, id: number): void {
      if (id <= last) return;
      last = Number.isFinite(id) ? id : last;
      lines.push(line);
      timer ??= setTimeout(flush, 100);
    },
    reset(): void {
      lines = [];
      last = Number.NEGATIVE_INFINITY;
      sink.reset();
    },
    stop: (): void => clearTimeout(timer),
  };
}
