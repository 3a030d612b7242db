import type { UiChunk } from "./chunk.ts";

/** The steps of a message: one for each reply, with the results of its calls. */
export interface Steps {
  /** Begins a step, unless one is open and has no reply that counts. */
  open(): void;
  close(): void;
  /** The open step has a reply that counts. */
  fill(): void;
  addTool(): void;
  /** Whether the last step shows a call. */
  hasTools(): boolean;
}

/** `continuesTools`: the message that is continued ends with calls. */
export function createSteps(emit: (chunk: UiChunk) => void, continuesTools: boolean): Steps {
  let state: "closed" | "open" | "filled" = "closed";
  let hasTools = continuesTools;
  const close = (): void => {
    if (state !== "closed") emit({ type: "finish-step" });
    state = "closed";
  };
  return {
    open: () => {
      if (state === "filled") close();
      if (state === "open") return;
      emit({ type: "start-step" });
      state = "open";
      hasTools = false;
    },
    close,
    fill: () => {
      state = "filled";
    },
    addTool: () => {
      hasTools = true;
    },
    hasTools: () => hasTools,
  };
}
