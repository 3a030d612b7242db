import type { StopReason, WithheldReason } from "@fullstop/core";

/** An input that the model writes for a tool. */
export interface Input {
  readonly name: string;
  readonly input: Readonly<Record<string, string>>;
}

/**
 * What happens to a reply on its way.
 * `cutAfter`: the last text of the input that arrives.
 * `wholeInputs`: the inputs that arrive if the protocol sends each input in one piece.
 * `harm`: what an agent does if it runs the input because the JSON is complete.
 */
export type Fault =
  | {
      readonly kind: "cut" | "dropped";
      readonly cutAfter: string;
      readonly wholeInputs: readonly Input[];
    }
  | { readonly kind: "relabelled"; readonly cutAfter: string; readonly harm: string }
  | { readonly kind: "filtered"; readonly harm: string };

interface FaultRule {
  /** The fault in a few words. `toolUse`: the protocol's native stop reason for calls. */
  readonly story: (sendsWholeInputs: boolean, toolUse: string) => string;
  readonly stopReason: StopReason;
  readonly reason: WithheldReason;
}

/** What the gate must say about each kind of fault. */
export const faultRules: Readonly<Record<Fault["kind"], FaultRule>> = {
  cut: {
    story: (sendsWholeInputs) =>
      sendsWholeInputs ? "cut at the cap after a call" : "cut at the cap in a string",
    stopReason: "length",
    reason: "stop-reason",
  },
  dropped: {
    story: (sendsWholeInputs) =>
      sendsWholeInputs ? "connection lost after a call" : "connection lost during a call",
    stopReason: "interrupted",
    reason: "no-terminal",
  },
  filtered: {
    story: () => "filtered, input complete",
    stopReason: "content-filter",
    reason: "stop-reason",
  },
  relabelled: {
    story: (_, toolUse) => `cut, relabelled as ${toolUse}`,
    stopReason: "length",
    reason: "cap-reached",
  },
};
