import type { ReplyReader } from "../contract/adapter.ts";
import { errorRules, ProviderError } from "../contract/error.ts";
import type { Preview, TurnEvent } from "../contract/event.ts";
import type { NativeStop, Usage } from "../contract/message.ts";
import { worse } from "../contract/stop.ts";
import { isNativeStop, lookUpStop, type ParsedClaim } from "../contract/stop-table.ts";
import { readInBand, readThrown } from "../transport/thrown.ts";
import { type Blocks, type ContentEvent, createBlocks } from "./blocks.ts";
import { afterContent, afterStop, type StopState, isStopValid } from "./stop-state.ts";

/** What was seen of a reply so far. */
export interface ReplyState {
  readonly blocks: Blocks;
  /** The provider says that it failed, inside the reply or instead of one. */
  providerError?: ProviderError;
  /** A frame or an event that cannot be read, or contradicts what came before. */
  parseError?: ProviderError;
  /** The transport failed. */
  transportError?: ProviderError;
  /** The most severe word that was said, standing or not. */
  claim?: ParsedClaim;
  native?: NativeStop;
  /** A word was said after which no call runs. */
  callsForbidden: boolean;
  /** Content, a stop reason or an error has come. */
  begun: boolean;
  stopState: StopState;
  usage: Partial<Usage>;
  resume?: unknown;
  sideEffects?: true;
}

export const createReplyState = (): ReplyState => ({
  blocks: createBlocks(),
  callsForbidden: false,
  begun: false,
  stopState: "none",
  usage: {},
});

export interface EventContext {
  readonly reader: ReplyReader;
  readonly seen: ReplyState;
  readonly preview: ((event: Preview) => void) | undefined;
}

/** Whether an event is a part of the reply, and not only news about it. */
const isContent: Readonly<Record<TurnEvent["type"], boolean>> = {
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
export function applyEvent(event: TurnEvent, { reader, seen, preview }: EventContext): void {
  if (seen.parseError !== undefined) return;
  seen.begun ||= isContent[event.type] && !("text" in event && event.text === "");
  switch (event.type) {
    case "tool-input-delta":
    case "tool-input-start":
    case "tool-input-end":
    case "text":
    case "thinking":
      applyContent(seen, event);
      return seen.parseError === undefined ? preview?.(event) : undefined;
    case "provider-data":
    case "native":
      return applyContent(seen, event);
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
      seen.providerError ??= readInBand(event.native, event.message, reader.errors);
      return;
    case "stop":
      return applyStop(seen, event, reader);
  }
}

/** JSON may hold `1e999`, and a turn that is stored holds no infinity. */
const isCount = ([, count]: readonly [string, unknown]): boolean =>
  count === null || Number.isFinite(count);

function applyContent(seen: ReplyState, event: ContentEvent): void {
  if (isStopValid(seen.stopState) && seen.blocks.hasContent(event))
    seen.stopState = afterContent(seen.stopState);
  const complaint = seen.blocks.add(event);
  if (complaint !== undefined) seen.parseError ??= new ProviderError(complaint.message, complaint);
}

function applyStop(
  seen: ReplyState,
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
  seen.callsForbidden ||= claim.calls === "never";
  seen.stopState = afterStop(seen.stopState, provisional);
}

/** Sorts what a request or a transport threw. */
export function recordThrown(
  seen: ReplyState,
  thrown: unknown,
  errors: ReplyReader["errors"],
): void {
  const error = readThrown(thrown, errors);
  if (errorRules[error.kind].stop !== "interrupted") seen.providerError ??= error;
  else if (error.kind === "malformed-reply" || error.kind === "too-large")
    seen.parseError ??= error;
  else seen.transportError ??= error;
}

/** A decoder refused an event. */
export function recordUnreadable(seen: ReplyState, thrown: unknown): void {
  seen.parseError ??= malformed("The reply holds an event that cannot be read", thrown);
}

/** A decoder refused the reply as a whole. */
export function recordContradiction(seen: ReplyState, thrown: unknown): void {
  seen.parseError ??= malformed("The reply contradicts itself, or a part of it is missing", thrown);
}

const malformed = (what: string, cause: unknown): ProviderError =>
  new ProviderError(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`, {
    kind: "malformed-reply",
    cause,
  });
