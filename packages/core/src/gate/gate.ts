import type { ReplyReader } from "../contract/adapter.ts";
import { isProviderError, ProviderError } from "../contract/error.ts";
import type { Decoder, Preview } from "../contract/event.ts";
import type { Turn } from "../contract/turn.ts";
import { allCallIds } from "../history/history.ts";
import { freezeDeep } from "../json/freeze.ts";
import { checkGiven } from "../options/check-given.ts";
import {
  applyEvent,
  createReplyState,
  type ReplyState,
  recordContradiction,
  recordFailure,
  recordUnreadable,
} from "../reply/reply-state.ts";
import { isStopValid } from "../reply/stop-state.ts";
import { defaultMaxTextLength } from "../reply/text-buffer.ts";
import type { CallIdsIn } from "./calls.ts";
import { checkGateOptions, type GateOptions, gateKinds } from "./gate-options.ts";
import { readSentRequest, type SentRequest, sentKinds } from "./sent-request.ts";
import { buildTurn } from "./verdict.ts";

/** Turns the native events of one reply into a `Turn`. */
export interface Gate {
  /** `ended`: the protocol's own end came. `void`: no call of this reply can run any more. */
  readonly state: "open" | "ended" | "void";
  /** Whether any part of the reply has come. An id or a usage is not a part of it. */
  readonly begun: boolean;
  /** Reads one native event, or a whole reply. Throws after `end`. */
  push(native: unknown): void;
  /**
   * Records that the request or the transport failed. `toProviderError` reads what was thrown.
   * Throws after `end`.
   */
  fail(error: ProviderError): void;
  /** Ends the reply and gives the verdict. A second call gives the same verdict. */
  end(): Turn;
}

/**
 * Decides whether the tool calls of a reply may run: all of them, or none. One gate reads one
 * reply. `sent` is the request: the gate compares usage with its cap and inputs with its schemas,
 * and gives ids that are new in its history.
 * @throws TypeError or RangeError if `sent` or `options` has a member that is not known or of the
 * wrong kind, or if `sent` lacks the cap although the protocol requires one.
 */
export function createGate(
  reader: ReplyReader,
  sent: SentRequest = {},
  options: GateOptions = {},
): Gate {
  checkGiven(reader, "createGate", "an adapter or a reply reader, such as `openaiReply(model)`");
  checkGateOptions(options, gateKinds);
  // A cap under another name would be overlooked.
  checkGateOptions(sent, sentKinds);
  return startGate(reader, sent, { ...options, callIdsIn: allCallIds });
}

interface GateParts extends GateOptions {
  readonly callIdsIn: CallIdsIn;
}

/** `createGate` for a caller who has checked everything. */
export function startGate(
  reader: ReplyReader,
  sent: SentRequest,
  { signal, onPreview, maxTextLength = defaultMaxTextLength, callIdsIn }: GateParts,
): Gate {
  const request = readSentRequest(reader, sent);
  const state = createReplyState(maxTextLength);
  let listenerThrew = false;
  let turn: Turn | undefined;
  const count = { pushed: 0, read: 0 };
  const preview =
    onPreview &&
    ((event: Preview): void => {
      listenerThrew = true;
      onPreview(event);
      listenerThrew = false;
    });
  const receiver = { reader, state, preview };
  const decode = reader.decoder((event) => {
    count.read++;
    applyEvent(event, receiver);
  });
  const assertOpen = (): void => {
    if (turn !== undefined)
      throw new Error("This gate has given its verdict. Create a gate for each reply.");
  };

  return {
    get state() {
      if (state.parseError !== undefined) return "void";
      return state.stopState === "final" ? "ended" : "open";
    },
    get begun() {
      return state.begun;
    },
    push(native) {
      assertOpen();
      // Proxies write `data: null` between the events of a reply (decolua/9router#1148).
      if (native === null) return;
      count.pushed++;
      if (state.parseError !== undefined) return;
      try {
        decode(native);
      } catch (thrown) {
        recordUnreadable(state, thrown);
        if (listenerThrew) throw thrown;
      }
    },
    fail(error) {
      assertOpen();
      if (!isProviderError(error)) throw notProviderError(error);
      recordFailure(state, error);
    },
    end() {
      if (turn !== undefined) return turn;
      if (isComplete(state)) checkWhole(state, decode);
      if (count.pushed > 0 && count.read === 0)
        state.transportError ??= unknownProtocol(reader, count.pushed);
      const aborted = signal?.aborted ?? false;
      turn = freezeDeep(buildTurn(state, { reader, request, aborted, callIdsIn }));
      return turn;
    },
  };
}

/** A connection that fails after the protocol's own end changes nothing. */
const isComplete = ({ stopState, transportError }: ReplyState): boolean =>
  stopState === "final" || (isStopValid(stopState) && transportError === undefined);

function checkWhole(state: ReplyState, decode: Decoder<unknown>): void {
  try {
    decode.settle?.();
  } catch (thrown) {
    recordContradiction(state, thrown);
  }
}

const notProviderError = (cause: unknown): TypeError =>
  new TypeError(
    "`gate.fail` takes a `ProviderError`. Make one with `toProviderError(thrown, reader)`.",
    { cause },
  );

const unknownProtocol = ({ protocol }: ReplyReader, events: number): ProviderError =>
  new ProviderError(
    `${events === 1 ? "One event came" : `${events} events came`}, but this adapter knows none of them. It reads the protocol ${protocol}: use the adapter of the protocol that the host speaks.`,
    { kind: "cut" },
  );
