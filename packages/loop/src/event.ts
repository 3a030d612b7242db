import type { Preview, StopReason, ToolCall, ToolResultBlock, Turn } from "@fullstop/core";

/** What the loop does about a reply that it cannot simply accept. */
export type Recovery =
  /** Requests the turn again with a larger output cap. */
  | "raise-cap"
  /** Requests the turn again with less thinking. */
  | "less-effort"
  /** Sends the same request again. */
  | "retry"
  /** Tells the model what was wrong. */
  | "tell-model"
  /** Asks the model to continue a text that was cut. */
  | "continue"
  /** Sends a paused turn back to the provider. */
  | "resume"
  /** Runs the tool of a truncated call with the part of the input that arrived. */
  | "salvage"
  /** Does not run calls that only repeat earlier ones. */
  | "stuck"
  /** Makes the conversation smaller. */
  | "compact"
  /** Asks the fallback adapter. */
  | "fallback";

/** What a run reports to its observers. */
export type RunEvent =
  | Preview
  /** A reply is complete, and the gate has judged it. */
  | {
      readonly type: "turn";
      /** Frozen. */
      readonly turn: Turn;
      /**
       * `false`: the turn is requested again, and the previews since the last `turn` event are
       * void.
       */
      readonly kept: boolean;
      /** The reply comes from the journal; no request was sent. */
      readonly replayed?: true;
    }
  /** A tool is about to start. An abort at this moment still prevents it. */
  | { readonly type: "tool-call"; readonly call: ToolCall }
  /** The result of a call as the model gets it, whether the call ran or not. */
  | { readonly type: "tool-result"; readonly call: ToolCall; readonly result: ToolResultBlock }
  /** The reply ended with `stopReason`, and the loop does this about it. */
  | { readonly type: "recovery"; readonly action: Recovery; readonly stopReason: StopReason };
