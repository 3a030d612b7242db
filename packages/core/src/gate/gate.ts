import type { ReplyReader } from "../contract/adapter.ts";
import { ProviderError } from "../contract/error.ts";
import type { Decoder, Preview } from "../contract/event.ts";
import type { Turn } from "../contract/turn.ts";
import { freezeDeep } from "../json/freeze.ts";
import {
  createSeen,
  receive,
  type Seen,
  takeContradiction,
  takeThrown,
  takeUnreadable,
} from "../reply/reply-state.ts";
import { stands } from "../reply/stop-state.ts";
import { readSentRequest, type SentRequest } from "./sent-request.ts";
import { buildTurn } from "./verdict.ts";

/** What may stop a reply, and who watches it. */
export interface GateOptions {
  readonly signal?: AbortSignal | undefined;
  /** Watches the reply while it arrives, in step with it. What it throws, `push` throws. */
  readonly onPreview?: ((preview: Preview) => void) | undefined;
}
/** Turns the native events of one reply into a `Turn`. */
export interface Gate {
  /** `ended`: the protocol's own end came. `void`: whatever follows, no call of this reply can run. */
  readonly state: "open" | "ended" | "void";
  /** Whether a part of the reply has come. An id or a usage is not a part of it. */
  readonly begun: boolean;
  /** One native event, or a whole reply. Throws after `end`. */
  push(native: unknown): void;
  /** The request, or the transport, threw. Throws after `end`. */
  fail(thrown: unknown): void;
  /** The reply is over. Gives the verdict, and the same one when it is asked again. */
  end(): Turn;
}

/**
 * The one place that decides whether the tool calls of a reply may run: all of them, or none. One gate reads one reply.
 * Tell it what was sent, so that it can compare usage with the cap, inputs with schemas, and give ids that are new to the history.
 * @throws TypeError if `sent` holds what it does not know, or lacks the cap where the protocol makes one compulsory.
 */
export function createGate(
  reader: ReplyReader,
  sent: SentRequest = {},
  { signal, onPreview }: GateOptions = {},
): Gate {
  const request = readSentRequest(reader, sent);
  const seen = createSeen();
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
  const receiver = { reader, seen, preview };
  const decode = reader.decoder((event) => {
    count.read++;
    receive(event, receiver);
  });
  const assertOpen = (): void => {
    if (turn !== undefined)
      throw new Error("This gate has given its verdict. Create a gate for each reply.");
  };

  return {
    get state() {
      if (seen.malformed !== undefined) return "void";
      return seen.stopState === "final" ? "ended" : "open";
    },
    get begun() {
      return seen.begun;
    },
    push(native) {
      assertOpen();
      count.pushed++;
      if (seen.malformed !== undefined) return;
      try {
        decode(native);
      } catch (thrown) {
        takeUnreadable(seen, thrown);
        if (listenerThrew) throw thrown;
      }
    },
    fail(thrown) {
      assertOpen();
      takeThrown(seen, thrown, reader.errors);
    },
    end() {
      if (turn !== undefined) return turn;
      if (stands(seen.stopState) && seen.lost === undefined) checkWhole(seen, decode);
      if (count.pushed > 0 && count.read === 0) seen.lost ??= noneKnown(reader, count.pushed);
      turn = freezeDeep(buildTurn(seen, { reader, request, aborted: signal?.aborted ?? false }));
      return turn;
    },
  };
}

/** Contradictions and gaps that only the whole reply shows. */
function checkWhole(seen: Seen, decode: Decoder<unknown>): void {
  try {
    decode.settle?.();
  } catch (thrown) {
    takeContradiction(seen, thrown);
  }
}

const noneKnown = ({ protocol }: ReplyReader, events: number): ProviderError =>
  new ProviderError(
    `${events === 1 ? "One event came" : `${events} events came`}, but this adapter knows none of them. It reads the protocol ${protocol}: use the adapter of the protocol that the host speaks.`,
    { kind: "cut" },
  );
