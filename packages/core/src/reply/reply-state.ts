import type { ReplyReader } from "../contract/adapter.ts";
import { errorRules, ProviderError } from "../contract/error.ts";
import type { Preview, TurnEvent } from "../contract/event.ts";
import type { NativeStop, Usage } from "../contract/message.ts";
import { worse } from "../contract/stop.ts";
import { isNativeStop, lookUpStop, type ParsedClaim } from "../contract/stop-table.ts";
import { kindInText, shortened } from "../transport/error-texts.ts";
import { type Blocks, type ContentEvent, createBlocks } from "./blocks.ts";
import { afterContent, afterStop, isStopValid, type StopState } from "./stop-state.ts";

export interface ReplyState {
  readonly blocks: Blocks;
  providerError?: ProviderError;
  /** The provider did not say why it failed. */
  unexplained: boolean;
  /** A frame or an event cannot be read, or contradicts an earlier one. */
  parseError?: ProviderError;
  transportError?: ProviderError;
  /** The most severe claim so far, also if it was revoked. */
  claim?: ParsedClaim;
  native?: NativeStop;
  /** No stop reason came: the end of the reply stands for one. */
  stopImplied: boolean;
  /** A stop reason came after which no call may run. */
  callsForbidden: boolean;
  /** Content, a stop reason or an error has come. */
  begun: boolean;
  stopState: StopState;
  usage: Partial<Usage>;
  /** The lowest output cap that the reply states about itself. */
  statedCap?: number;
  /** The id of the reply, and the model that wrote it: the first that were given. */
  responseId?: string;
  responseModel?: string;
  resume?: unknown;
  sideEffects?: true;
}

export const createReplyState = (maxTextLength: number): ReplyState => ({
  blocks: createBlocks(maxTextLength),
  unexplained: false,
  stopImplied: false,
  callsForbidden: false,
  begun: false,
  stopState: "none",
  usage: {},
});

export interface EventContext {
  readonly reader: ReplyReader;
  readonly state: ReplyState;
  readonly preview: ((event: Preview) => void) | undefined;
}

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

/** After a contradictory event, ignores the rest of the reply. */
export function applyEvent(event: TurnEvent, { reader, state, preview }: EventContext): void {
  if (state.parseError !== undefined) return;
  state.begun ||= isContent[event.type] && !("text" in event && event.text === "");
  switch (event.type) {
    case "tool-input-delta":
    case "tool-input-start":
    case "tool-input-end":
    case "text":
    case "thinking":
      applyContent(state, event);
      return state.parseError === undefined ? preview?.(event) : undefined;
    case "provider-data":
    case "native":
      return applyContent(state, event);
    case "usage":
      state.usage = mergeUsage(state.usage, event.usage);
      return;
    case "meta":
      return applyMeta(state, event);
    case "side-effects":
      state.sideEffects = true;
      return;
    case "error":
      if (state.providerError !== undefined && !state.unexplained) return;
      state.providerError = reportedError(event, reader);
      state.unexplained = event.unexplained === true;
      return;
    case "stop":
      return applyStop(state, event, reader);
  }
}

function applyMeta(state: ReplyState, event: Extract<TurnEvent, { type: "meta" }>): void {
  if (isName(event.id)) state.responseId ??= event.id;
  if (isName(event.model)) state.responseModel ??= event.model;
  if (event.resume !== undefined) state.resume = event.resume;
  if (event.maxTokens !== undefined)
    state.statedCap = Math.min(state.statedCap ?? event.maxTokens, event.maxTokens);
}

/** Hosts send numbers and empty texts too. */
const isName = (value: unknown): value is string => typeof value === "string" && value !== "";

/** The largest of each count is right: some gateways add a lower one, and hosts send `null`. */
function mergeUsage(before: Partial<Usage>, added: Partial<Usage>): Partial<Usage> {
  const merged: Record<string, number | null | undefined> = { ...before };
  for (const [name, count] of Object.entries(added)) {
    if (isCount(count)) merged[name] = Math.max(merged[name] ?? count, count);
    else if (count === null && name === "towardCap") merged[name] ??= null;
  }
  return merged;
}

/** JSON may contain `1e999`, and a stored turn must not contain `Infinity`. */
const isCount = (count: unknown): count is number => Number.isFinite(count) && Number(count) >= 0;

function applyContent(state: ReplyState, event: ContentEvent): void {
  if (isStopValid(state.stopState) && state.blocks.hasContent(event))
    state.stopState = afterContent(state.stopState);
  const complaint = state.blocks.add(event);
  if (complaint !== undefined) state.parseError ??= new ProviderError(complaint.message, complaint);
}

function applyStop(
  state: ReplyState,
  event: Extract<TurnEvent, { type: "stop" }>,
  { stops }: ReplyReader,
): void {
  const { native, detail, provisional } = event;
  const claim = lookUpStop(stops, native, detail);
  const isWorst =
    claim !== undefined &&
    (state.claim === undefined || worse(claim.stop, state.claim.stop) === claim.stop);
  if (isWorst || (state.claim === undefined && isNativeStop(native)))
    state.native = { stop: native, ...(detail !== undefined && { detail }) };
  if (claim === undefined) return;
  if (isWorst) state.claim = claim;
  state.stopImplied ||= event.implied === true;
  state.callsForbidden ||= claim.calls === "never";
  state.stopState = afterStop(state.stopState, provisional);
}

function reportedError(
  { native, message }: Extract<TurnEvent, { type: "error" }>,
  { errors = {} }: ReplyReader,
): ProviderError {
  const kind = Object.hasOwn(errors, native) ? (errors[native] ?? "server") : "server";
  const isVague = kind === "server" || kind === "invalid-request";
  return new ProviderError(
    shortened(message || `The provider reported "${native}" without a message.`),
    { kind: (isVague && kindInText(`${native} ${message}`)) || kind, code: native },
  );
}

export function recordFailure(state: ReplyState, error: ProviderError): void {
  if (errorRules[error.kind].stop !== "interrupted") state.providerError ??= error;
  else if (error.kind === "malformed-reply" || error.kind === "too-large")
    state.parseError ??= error;
  else state.transportError ??= error;
}

export function recordUnreadable(state: ReplyState, thrown: unknown): void {
  state.parseError ??= malformed("The reply holds an event that cannot be read", thrown);
}

export function recordContradiction(state: ReplyState, thrown: unknown): void {
  state.parseError ??= malformed(
    "The reply contradicts itself, or a part of it is missing",
    thrown,
  );
}

const malformed = (what: string, cause: unknown): ProviderError =>
  new ProviderError(`${what}: ${describeThrown(cause)}`, { kind: "malformed-reply", cause });

/** A decoder throws no TypeError itself: it is from the engine, whose words name our code. */
function describeThrown(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return thrown instanceof TypeError
    ? "a member does not have the form that the protocol gives it."
    : thrown.message;
}
