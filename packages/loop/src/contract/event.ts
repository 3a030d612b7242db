import type {
  Effort,
  Preview,
  StopReason,
  ToolCall,
  ToolResultBlock,
  Turn,
  TurnRequest,
} from "@fullstop/core";
import type { Origin, PartialInput } from "@fullstop/core/adapter";
import type { Outcome } from "./outcome.ts";
import type { ReviewedCall } from "./ports.ts";

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

/** Where an event belongs. */
export interface EventPosition {
  /** `journal.runId`, or a random id. Events of sub-agents have the same. */
  readonly runId: string;
  /**
   * The journal keys of the calls that this happens in, outermost first. Empty for the run itself;
   * events of a sub-agent (`agentTool`) have the key of its call.
   */
  readonly path: readonly string[];
  /** The number of the turn, from 1. A turn that waited for decisions is 0. */
  readonly turnNumber: number;
  /** Milliseconds since 1970, as `Date.now()`. */
  readonly at: number;
}

/** What a run reports, without its position. */
export type EventBody =
  | Preview
  /**
   * A request is about to be sent. An abort at this moment still prevents it. A reply from the
   * journal has none.
   */
  | {
      readonly type: "request";
      /** Where it goes: `adapter`, or one that replaced it. */
      readonly adapter: Origin;
      /** The host that is asked, if the adapter knows it before the request. */
      readonly server: { readonly address: string; readonly port: number } | undefined;
      /** The output cap that the loop asks for. Undefined: the adapter's own. */
      readonly maxTokens: number | undefined;
      /**
       * The output cap that is sent: `maxTokens`, or the default of the adapter. Undefined: none.
       */
      readonly cap: number | undefined;
      /** The effort that the loop asks for. Undefined: the default of the provider. */
      readonly effort: Effort | undefined;
      /** The number of the request for this turn, from 1. */
      readonly attempt: number;
      /** The recovery that asks for it. Undefined: an ordinary turn. */
      readonly reason: Recovery | undefined;
    }
  /**
   * The request that follows, as the adapter gets it: the instructions, the messages, the tools.
   * The object, its messages and its list of tools are frozen. Only an `onEvent` that was made with
   * `withDetails` gets it.
   */
  | { readonly type: "prompt"; readonly request: TurnRequest }
  /** The first part of the reply has arrived. */
  | { readonly type: "first-byte" }
  /**
   * The provider's own events that arrived together, after the previews of them. Frozen. Only an
   * `onEvent` that was made with `withDetails` gets it.
   */
  | { readonly type: "chunk"; readonly natives: readonly unknown[] }
  /** A reply is complete, and the gate has judged it: `turn.rules` has the result of each rule. */
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
  /** The reply ended with `stopReason`, and the loop does this about it. */
  | { readonly type: "recovery"; readonly action: Recovery; readonly stopReason: StopReason }
  /**
   * A call was decided on: by `approve`, by `waiting`, or by the journal. `"later"` also if it needs
   * a decision and `approve` is missing. Nothing is reported for a call that needs no decision.
   */
  | {
      readonly type: "approval";
      /** The call with its validated input, as plain data. */
      readonly call: ReviewedCall;
      /** `later`: the run ends with the status `waiting`. */
      readonly decision: "allowed" | "denied" | "later";
      /** Why it was denied. */
      readonly reason?: string;
      /** The decision comes from the journal. */
      readonly replayed?: true;
    }
  /**
   * The outcome of a call was not known. `result`: it happened. `did-not-happen`: it runs now.
   * `unknown`: the model is asked to check. `later`: the run ends with the status `waiting`.
   */
  | {
      readonly type: "settlement";
      /** The call with its validated input, as plain data. */
      readonly call: ReviewedCall;
      readonly settlement: "result" | "did-not-happen" | "unknown" | "later";
      /** The settlement comes from the journal. */
      readonly replayed?: true;
    }
  /**
   * A tool asked a person (`needsInput`). `later`: the run ends with the status `waiting`. `given`:
   * the tool is called again with the answer.
   */
  | {
      readonly type: "input";
      /** The call with its validated input and the question, as plain data. */
      readonly call: ReviewedCall;
      readonly input: "given" | "later";
      /** The answer comes from the journal. */
      readonly replayed?: true;
    }
  /** A tool is about to start. An abort at this moment still prevents it. */
  | {
      readonly type: "tool-call";
      readonly call: ToolCall;
      /** The journal key of the call. Events of a sub-agent in it have this key in their `path`. */
      readonly key: string;
    }
  /** A tool that is an async generator reports its progress, between its start and its result. */
  | { readonly type: "tool-progress"; readonly call: ToolCall; readonly progress: unknown }
  /** The result of a call as the model gets it. */
  | {
      readonly type: "tool-result";
      /** The call that the gate issued. */
      readonly call: ToolCall;
      /** What joins the conversation. */
      readonly result: ToolResultBlock;
      /**
       * Whether the tool was started, here or elsewhere. `false`: the call was denied, declined or
       * not valid, its tool is not known, or the run ended before.
       */
      readonly ran: boolean;
      /**
       * The tool had started, and its outcome is not known: the run was aborted, the tool reached
       * its time limit, or the process was killed.
       */
      readonly inDoubt?: true;
      /** The tool reached its time limit. The call is in doubt. */
      readonly timedOut?: true;
      /** The result comes from the journal. */
      readonly replayed?: true;
    }
  /** A part of the object that `output` asks for has arrived. A preview: nothing may act on it. */
  | { readonly type: "output"; readonly partial: PartialInput }
  /** The run or the sub-agent has ended. The last event is that of the run. A run whose `outcome()` rejects has none. */
  | { readonly type: "end"; readonly outcome: Outcome };

/** What a run reports to its observers. */
export type RunEvent = EventBody & EventPosition;

const detailTypes = ["prompt", "chunk"] as const;
/** Events that only an observer gets that asks for them, because they are large. */
export type DetailType = (typeof detailTypes)[number];
export const isDetail = (type: RunEvent["type"]): type is DetailType =>
  (detailTypes as readonly string[]).includes(type);

const wantedDetails: unique symbol = Symbol.for("fullstop.loop.wantedDetails");
const ownContext: unique symbol = Symbol.for("fullstop.loop.ownContext");

/** Receives the events of a run. */
export type Observer = (event: RunEvent) => void;
/** Calls `work` once, before it returns. */
type RunInContext = (event: RunEvent, work: () => void) => void;

/**
 * An `onEvent` that also gets details: what each request asks (`prompt`), and the provider's own
 * events (`chunk`). A recorder needs both. Without `types` it gets all of them.
 */
export function withDetails(
  onEvent: Observer,
  types: readonly DetailType[] = detailTypes,
): Observer {
  const observer: Observer = (event) => onEvent(event);
  return Object.assign(observer, { ...onEvent, [wantedDetails]: new Set(types) });
}

/**
 * An `onEvent` that also runs what an event begins in a context of its own, such as one of
 * `AsyncLocalStorage`: a request and its reply (`request`), and a tool (`tool-call`).
 */
export function withContext(
  onEvent: Observer,
  runInContext: (event: RunEvent, work: () => void) => void,
): Observer {
  const observer: Observer = (event) => onEvent(event);
  return Object.assign(observer, { ...onEvent, [ownContext]: runInContext });
}

export const detailsFor = (observer: Observer): ReadonlySet<DetailType> =>
  (observer as MarkedObserver)[wantedDetails] ?? noDetails;
const noDetails: ReadonlySet<DetailType> = new Set();

/** Runs what an event begins. */
export type Inside = <Result>(work: () => Result) => Result;
export const inNoContext: Inside = (work) => work();

/** Runs what the event begins in the contexts of all observers. One that fails is left out. */
export function insideOf(
  event: RunEvent,
  observers: readonly Observer[],
  onError: (thrown: unknown) => void,
): Inside {
  const contexts = observers.flatMap((observer) => (observer as MarkedObserver)[ownContext] ?? []);
  if (contexts.length === 0) return inNoContext;
  return <Result>(work: () => Result): Result => {
    let done: { readonly result: Result } | undefined;
    const once = (): Result => {
      done ??= { result: work() };
      return done.result;
    };
    const enter = (inner: () => void, runInContext: RunInContext) => (): void => {
      try {
        runInContext(event, inner);
      } catch (thrown) {
        onError(thrown);
      }
    };
    contexts.reduceRight<() => void>(enter, once)();
    return once();
  };
}

interface MarkedObserver {
  (event: RunEvent): void;
  readonly [wantedDetails]?: ReadonlySet<DetailType>;
  readonly [ownContext]?: RunInContext;
}
