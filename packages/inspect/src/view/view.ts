import type {
  Effort,
  RuleResult,
  StopReason,
  ToolResultBlock,
  Turn,
  TurnRequest,
  Usage,
  WithheldReason,
} from "@fullstop/core";
import type { Origin } from "@fullstop/core/adapter";
import type { Outcome, Recovery, ReviewedCall } from "@fullstop/loop";
import type { RecordedTurn } from "../recording.ts";

/**
 * What a page shows of a recording: plain data, made from the recorded events alone, and updated
 * event by event. Times are milliseconds since 1970.
 */
export interface RecordingView {
  readonly runs: readonly RunView[];
  /** What cannot be read in the file: a line that was cut, an event of a newer version. */
  readonly flaws: readonly string[];
}

/** A run, or a sub-agent. */
export interface RunView {
  readonly runId: string;
  /** The journal keys of the calls that it runs in. Empty for the run itself. */
  readonly path: readonly string[];
  readonly startedAt: number;
  /** Undefined: it has not ended, or its recording was cut. */
  readonly endedAt?: number | undefined;
  readonly outcome?: OutcomeView | undefined;
  readonly turns: readonly TurnView[];
  readonly totals: Totals;
}

/** How a run ended. */
export interface OutcomeView {
  readonly status: Outcome["status"];
  readonly summary: string;
  readonly text: string;
  readonly usage: Usage;
  readonly cost?: number | undefined;
  /** The calls that wait for a person. */
  readonly waiting: readonly ReviewedCall[];
}

/** Of a run or a sub-agent, without the sub-agents in it. */
export interface Totals {
  readonly requests: number;
  /** Of the requests. A reply from the journal costs nothing. */
  readonly usage: Usage;
  /** Tokens of replies that were requested again. */
  readonly discarded: Usage;
  readonly withheld: number;
  readonly calls: number;
  readonly inDoubt: number;
  readonly recoveries: number;
}

/** One turn of the model: its requests, and the calls of the reply that was kept. */
export interface TurnView {
  /** From 1. A turn that waited for decisions is 0, and has no replies. */
  readonly number: number;
  readonly replies: readonly ReplyView[];
  readonly calls: readonly CallView[];
}

/** One request, and the reply to it. */
export interface ReplyView {
  /** Unique in the recording, and stable: for links and for "Save as a fixture". */
  readonly id: string;
  readonly from?: Origin | undefined;
  readonly attempt: number;
  /** The recovery that asked for this request. */
  readonly reason?: Recovery | undefined;
  readonly cap?: number | undefined;
  readonly effort?: Effort | undefined;
  /** What was asked. Undefined: the recorder left it out, or the reply comes from the journal. */
  readonly prompt?: PromptView | undefined;
  /** Undefined: the reply comes from the journal. */
  readonly requestedAt?: number | undefined;
  readonly firstByteAt?: number | undefined;
  /** Undefined: it is still arriving, or its recording was cut. */
  readonly endedAt?: number | undefined;
  readonly replayed: boolean;
  /** `false`: it was requested again. */
  readonly kept?: boolean | undefined;
  readonly frames: readonly FrameView[];
  readonly inputs: readonly InputView[];
  /** What the person saw while it arrived. */
  readonly text: string;
  readonly thinking: string;
  readonly verdict?: VerdictView | undefined;
  /** What the loop did about it. */
  readonly recovery?: { readonly action: Recovery; readonly stopReason: StopReason } | undefined;
  /** What its recovery cost: the requests that followed because of it. */
  readonly recoveryCost?: { readonly requests: number; readonly usage: Usage } | undefined;
}

/** What a request asks, and what in it is new since the request before. */
export interface PromptView {
  readonly request: TurnRequest;
  /** The number of messages at the beginning that the request before had too. */
  readonly sameMessages: number;
  /**
   * What differs from the request before. `messages`: older messages were replaced or removed; new
   * ones at the end do not count as a change.
   */
  readonly changed: readonly PromptPart[];
}
/** A part of a request that may differ from the request before. */
export type PromptPart = "system" | "tools" | "messages" | "toolChoice" | "output";

/** The provider's own events that arrived together. */
export interface FrameView {
  readonly at: number;
  readonly natives: readonly unknown[];
  /** The size of their JSON, in bytes. */
  readonly bytes: number;
}

/** The input of a tool, as it arrived. */
export interface InputView {
  readonly key: string;
  readonly name?: string | undefined;
  /** The id in the verdict. Until then, the provider's own. */
  readonly id?: string | undefined;
  /** The input of a free-form tool: text, not JSON. */
  readonly kind?: "text" | undefined;
  /** It repeats another input in another form, and the verdict does not name it. */
  readonly isEcho?: true | undefined;
  /** Byte for byte. */
  readonly text: string;
  /** In UTF-8. */
  readonly bytes: number;
  readonly startedAt: number;
  /** When the protocol said that this input is complete. Undefined: it never did. */
  readonly closedAt?: number | undefined;
  readonly verdict: "arriving" | "call" | "withheld";
  readonly withheldReason?: WithheldReason | undefined;
  readonly detail?: string | undefined;
  /**
   * What a program that repairs cut JSON would have run. Only for withheld inputs, and only up to
   * 1 MiB.
   */
  readonly repaired?: RepairView | undefined;
}

/** What a repair makes of a cut input. */
export interface RepairView {
  /** The JSON that would have run. Undefined: even a repair gives up. */
  readonly text?: string | undefined;
}

/** What the gate decided. */
export interface VerdictView {
  readonly stopReason: StopReason;
  /** The provider's own stop reason. */
  readonly native?: Turn["native"];
  readonly usage: Usage;
  /** `explain(turn).person`. */
  readonly explanation: string;
  readonly error?: { readonly kind: string; readonly message: string } | undefined;
  readonly requestId?: string | undefined;
  /** In the order in which the gate asks them. Empty in a turn of an old journal. */
  readonly rules: readonly RuleResult[];
  readonly turn: RecordedTurn;
}

/** A call that the gate issued, and what became of it. */
export interface CallView {
  /** The journal key. The `path` of a sub-agent in it ends with this key. Known once it started. */
  readonly key?: string | undefined;
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly by?: "loop" | undefined;
  /** Decisions, settlements, answers of persons, starts and results, in order of time. */
  readonly steps: readonly CallStep[];
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
  readonly state: CallState;
  readonly result?: ToolResultBlock | undefined;
}
/** What has become of a call. */
export type CallState =
  /** The gate issued it, and nothing has become of it. */
  | "issued"
  /** For a person: a decision, a result or an input. */
  | "waiting"
  | "running"
  | "done"
  | "failed"
  | "not-run"
  | "in-doubt"
  | "timed-out";

/** Something that happened to a call. */
export type CallStep =
  | {
      readonly type: "approval";
      readonly at: number;
      readonly decision: "allowed" | "denied" | "later";
      readonly reason?: string | undefined;
      readonly replayed: boolean;
    }
  | {
      readonly type: "settlement";
      readonly at: number;
      readonly settlement: "result" | "did-not-happen" | "unknown" | "later";
      readonly replayed: boolean;
    }
  | {
      readonly type: "input";
      readonly at: number;
      readonly input: "given" | "later";
      readonly question?: unknown;
      readonly replayed: boolean;
    }
  | { readonly type: "start"; readonly at: number }
  | { readonly type: "progress"; readonly at: number; readonly progress: unknown }
  | {
      readonly type: "result";
      readonly at: number;
      readonly ran: boolean;
      readonly replayed: boolean;
    };
