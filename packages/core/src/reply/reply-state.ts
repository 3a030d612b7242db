import type { ReplyReader } from "../contract/adapter.ts";
import { errorRules, ProviderError } from "../contract/error.ts";
import type { Preview, TurnEvent } from "../contract/event.ts";
import type { NativeStop, Usage } from "../contract/message.ts";
import { worse } from "../contract/stop.ts";
import { isNativeStop, lookUpStop, type ParsedClaim } from "../contract/stop-table.ts";
import { readInBand, readThrown } from "../transport/thrown.ts";
import { type Blocks, type ContentEvent, createBlocks } from "./blocks.ts";
import { afterContent, afterStop, type StopState, stands } from "./stop-state.ts";

/** What was seen of a reply so far. */
export interface Seen {
  readonly blocks: Blocks;
  /** The provider says that it failed, inside the reply or instead of one. */
  error?: ProviderError;
  /** A frame or an event that cannot be read, or contradicts what came before. */
  malformed?: ProviderError;
  /** The transport failed. */
  lost?: ProviderError;
  /** The most severe word that was said, standing or not. */
  claim?: ParsedClaim;
  native?: NativeStop;
  /** A word was said after which no call runs. */
  noCalls: boolean;
  /** Content, a stop reason or an error has come. */
  begun: boolean;
  stopState: StopState;
  usage: Partial<Usage>;
  resume?: unknown;
  sideEffects?: true;
}

export const createSeen = (): Seen => ({
  blocks: createBlocks(),
  noCalls: false,
  begun: false,
  stopState: "none",
  usage: {},
});

export interface Receiver {
  readonly reader: ReplyReader;
  readonly seen: Seen;
  readonly preview: ((event: Preview) => void) | undefined;
}

/** Whether an event is a part of the reply, and not only news about it. */
const begins: Readonly<Record<TurnEvent["type"], boolean>> = {
  text: true,
  thinking: true,
  "tool-input-start": true,
  "tool-input-delta": true,
  "tool-input-end": true,
  native: true,
  "provider-data": true,
  stop: true,
  error: true,
  "side-effects": true,
  meta: false,
  usage: false,
};

/** Nothing is taken behind a contradiction: what follows it cannot be told apart from what came before. */
export function receive(event: TurnEvent, { reader, seen, preview }: Receiver): void {
  if (seen.malformed !== undefined) return;
  seen.begun ||= begins[event.type] && !("text" in event && event.text === "");
  switch (event.type) {
    case "tool-input-delta":
    case "tool-input-start":
    case "tool-input-end":
    case "text":
    case "thinking":
      takeContent(seen, event);
      return seen.malformed === undefined ? preview?.(event) : undefined;
    case "provider-data":
    case "native":
      return takeContent(seen, event);
    case "usage":
      seen.usage = {
        ...seen.usage,
        ...Object.fromEntries(Object.entries(event.usage).filter(isCount)),
      };
      return;
    case "meta":
      if (event.resume !== undefined) seen.resume = event.resume;
      return;
    case "side-effects":
      seen.sideEffects = true;
      return;
    case "error":
      seen.error ??= readInBand(event.native, event.message, reader.errors);
      return;
    case "stop":
      return takeStop(seen, event, reader);
  }
}

/** JSON may hold `1e999`, and a turn that is stored holds no infinity. */
const isCount = ([, count]: readonly [string, unknown]): boolean =>
  count === null || Number.isFinite(count);

function takeContent(seen: Seen, event: ContentEvent): void {
  if (stands(seen.stopState) && seen.blocks.adds(event))
    seen.stopState = afterContent(seen.stopState);
  const complaint = seen.blocks.take(event);
  if (complaint !== undefined) seen.malformed ??= new ProviderError(complaint.message, complaint);
}

function takeStop(
  seen: Seen,
  event: Extract<TurnEvent, { type: "stop" }>,
  { stops }: ReplyReader,
): void {
  const { native, detail, provisional } = event;
  const claim = lookUpStop(stops, native, detail);
  const isWorst =
    claim !== undefined &&
    (seen.claim === undefined || worse(claim.stop, seen.claim.stop) === claim.stop);
  if (isWorst || (seen.claim === undefined && isNativeStop(native)))
    seen.native = { stop: native, ...(detail !== undefined && { detail }) };
  if (claim === undefined) return;
  if (isWorst) seen.claim = claim;
  seen.noCalls ||= claim.calls === "never";
  seen.stopState = afterStop(seen.stopState, provisional);
}

/** Sorts what a request or a transport threw. */
export function takeThrown(seen: Seen, thrown: unknown, errors: ReplyReader["errors"]): void {
  const error = readThrown(thrown, errors);
  if (errorRules[error.kind].stop !== "interrupted") seen.error ??= error;
  else if (error.kind === "malformed-reply" || error.kind === "too-large") seen.malformed ??= error;
  else seen.lost ??= error;
}

/** A decoder refused an event. */
export function takeUnreadable(seen: Seen, thrown: unknown): void {
  seen.malformed ??= malformed("The reply holds an event that cannot be read", thrown);
}

/** A decoder refused the reply as a whole. */
export function takeContradiction(seen: Seen, thrown: unknown): void {
  seen.malformed ??= malformed("The reply contradicts itself, or a part of it is missing", thrown);
}

const malformed = (what: string, cause: unknown): ProviderError =>
  new ProviderError(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`, {
    kind: "malformed-reply",
    cause,
  });
