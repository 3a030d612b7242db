import type { Preview, StopReason, ToolCall, ToolResultBlock, Turn } from "@fullstop/core";

/**
 * What the loop does when a reply cannot simply be taken:
 * asks again with a larger cap, with less thinking, or unchanged after a failure of the provider or the connection (`retry`);
 * tells the model what was wrong; lets it go on with a text that was cut; sends a paused turn back; lets the tool of a cut call go on with what arrived; keeps calls from running that only repeat themselves (`stuck`); makes the conversation smaller; asks another adapter.
 */
export type Recovery =
  | "raise-cap"
  | "less-effort"
  | "retry"
  | "tell-model"
  | "continue"
  | "resume"
  | "salvage"
  | "stuck"
  | "compact"
  | "fallback";

/** What a run tells those who watch it. */
export type RunEvent =
  | Preview
  /** A reply is complete, and this is the gate's verdict on it. */
  | {
      readonly type: "turn";
      /** Frozen. */
      readonly turn: Turn;
      /** `false`: the reply is asked for again, and the previews since the last turn are void. */
      readonly kept: boolean;
      /** The reply comes from the journal, and nothing was asked. */
      readonly replayed?: true;
    }
  /** A tool is about to start; an abort now still keeps it from that. */
  | { readonly type: "tool-call"; readonly call: ToolCall }
  /** What the model is told of a call, run or not. */
  | { readonly type: "tool-result"; readonly call: ToolCall; readonly result: ToolResultBlock }
  | { readonly type: "recovery"; readonly step: Recovery; readonly stopReason: StopReason };
