import { type Gate, type Turn, toProviderError } from "@fullstop/core";
import { type LeakWatch, lingerMs } from "@fullstop/core/adapter";
import type { GuardOptions } from "../options.ts";
import {
  endsEvent,
  eventText,
  type Failure,
  type Protocol,
  type ReplyFrame,
  type StreamEditor,
} from "../protocols/protocol.ts";
import type { HeldShare } from "./held-total.ts";
import { createHolder, type Holder, isVoid } from "./holder.ts";
import { createSilence } from "./silence.ts";
import type { Outcome, SeenReply } from "./verdict.ts";

export interface EndedReply
  extends Pick<
    SeenReply,
    | "turn"
    | "hasCalls"
    | "hasForeignCall"
    | "hasRoom"
    | "isUnderstood"
    | "isWhole"
    | "isBroken"
    | "heldText"
    | "says"
  > {
  readonly wasSent: boolean;
  readonly heldMs: number;
  readonly heldChars: number;
}

export interface StreamContext {
  readonly gate: Gate;
  readonly leakIn: LeakWatch["leakIn"];
  readonly protocol: Protocol;
  readonly options: Pick<GuardOptions, "maxHeld" | "keepAliveMs" | "closeMs" | "strict">;
  readonly isStream: boolean;
  readonly frames: AsyncIterator<readonly ReplyFrame[]>;
  readonly share: HeldShare;
  readonly decide: (reply: EndedReply) => Promise<Outcome>;
  /** Ends the request of a reply that its host keeps open. */
  readonly leave: () => void;
}

/** What goes to the client next: a text, the outcome, or the end of the connection. */
export type Output =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "outcome"; readonly outcome: Outcome; readonly turn: Turn }
  | { readonly type: "break" };

const defaultKeepAliveMs = 15_000;
export const defaultMaxHeld: number = 64 * 1024 * 1024;
export const maxHeldOf = ({ maxHeld = defaultMaxHeld }: Pick<GuardOptions, "maxHeld">): number =>
  maxHeld;

interface Progress {
  wasSent: boolean;
  /** What went out are events, so an error can be one too. */
  hasEvents: boolean;
  /** What must go out before the next event: an empty line, if the last event has none. */
  startOfEvent: string;
  isBroken: boolean;
}

/** From the first part of a call on, everything waits for the verdict, in its order. */
export async function* guardStream(context: StreamContext): AsyncGenerator<Output, void> {
  const { protocol, options, frames } = context;
  const editor = protocol.createEditor();
  const { closeMs = lingerMs } = options;
  const holder = createHolder(protocol, editor, {
    maxHeld: maxHeldOf(options),
    waits: closeMs > 0,
    isStrict: options.strict === true,
  });
  const progress: Progress = {
    wasSent: false,
    hasEvents: context.isStream,
    startOfEvent: "",
    isBroken: false,
  };
  const relay = createRelay(context, holder, progress);
  try {
    for (let isOpen = true; isOpen; ) {
      const { text, isLast } = await relay.next();
      if (text !== "") yield { type: "text", text };
      isOpen = !isLast;
    }
    yield* conclude(context, { editor, holder, relay, ...progress });
  } finally {
    relay.stop();
    if (relay.isReading()) context.leave();
    await frames.return?.();
  }
}

/** Waits for the next events. Returns what goes out now: they, a sign of life, or nothing. */
function createRelay(
  { gate, protocol, frames, share, isStream, options }: StreamContext,
  holder: Holder,
  progress: Progress,
) {
  const { keepAliveMs = defaultKeepAliveMs, closeMs = lingerMs } = options;
  const silence = createSilence(keepAliveMs);
  const before = share.bytes;
  let step: Promise<Step<readonly ReplyFrame[]>> | undefined;
  let hasText = false;
  /** When the wait behind the protocol's own end is over. An error or more content may come. */
  let closesAt = Number.POSITIVE_INFINITY;
  const isClosing = (): boolean => performance.now() >= closesAt;
  const restart = (): void => silence.restart(Math.min(keepAliveMs, closesAt - performance.now()));
  const send = (text: string): string => {
    progress.wasSent = true;
    progress.startOfEvent = endsEvent(text) ? "" : "\n\n";
    restart();
    return text;
  };
  /** Nothing may be added to a body, but the blank lines before it are the host's own sign. */
  const signOfLife = (): string => {
    const sign = isStream ? protocol.keepAlive : holder.takeBlank();
    restart();
    return sign === "" ? "" : send(sign);
  };
  const noteEnd = (): void => {
    const isEnded = gate.state === "ended";
    if (isEnded === Number.isFinite(closesAt)) return;
    closesAt = isEnded ? performance.now() + closeMs : Number.POSITIVE_INFINITY;
    restart();
  };
  const whenSilent = () => ({ text: isClosing() ? "" : signOfLife(), isLast: isClosing() });
  const read = (): Promise<Step<readonly ReplyFrame[]>> => {
    const reading = step ?? settle(frames.next());
    step = undefined;
    return reading;
  };
  const next = async (): Promise<{ readonly text: string; readonly isLast: boolean }> => {
    if (hasText) share.keep(before);
    step = read();
    const came = await silence.before(step);
    if (came === undefined) return whenSilent();
    step = undefined;
    const { text, isLast, isBroken } = takeStep(came, gate, holder);
    progress.isBroken = isBroken;
    noteEnd();
    hasText = text !== "";
    if (!hasText) return silence.isOver() && !isLast ? whenSilent() : { text, isLast };
    progress.hasEvents = true;
    return { text: send(text), isLast };
  };
  return { next, read, isReading: () => step !== undefined, stop: silence.stop };
}

/** `isLast`: nothing more can change the verdict. `isBroken`: the rest cannot be read or held. */
function takeStep(
  { value: batch, failure }: Step<readonly ReplyFrame[]>,
  gate: Gate,
  holder: Holder,
): { readonly text: string; readonly isLast: boolean; readonly isBroken: boolean } {
  if (failure !== undefined) gate.fail(toProviderError(failure.thrown));
  if (batch === undefined) return { text: "", isLast: true, isBroken: failure !== undefined };
  const text = holder.take(batch, gate);
  const { overflow, hasCalls, waits } = holder.facts;
  if (overflow !== undefined) gate.fail(overflow);
  const isEnded = gate.state === "ended" && !(hasCalls && waits);
  const isDecided = isEnded || isVoid(gate, holder.facts);
  const isBroken = overflow !== undefined;
  return { text, isLast: isDecided || isBroken, isBroken };
}

interface Ended extends Progress {
  readonly editor: StreamEditor;
  readonly holder: Holder;
  readonly relay: ReturnType<typeof createRelay>;
}

/** An ending that the guard wrote is whole, also if the connection failed behind the reply. */
const isLeftBroken = (isBroken: boolean, { action }: Outcome): boolean =>
  isBroken && action === "passed";

async function* conclude(
  { gate, leakIn, protocol, share, decide }: StreamContext,
  ended: Ended,
): AsyncGenerator<Output, void> {
  const { holder, wasSent, isBroken } = ended;
  const { facts } = holder;
  const isEnded = gate.state === "ended";
  const isUnderstood = gate.begun || facts.isOpened;
  const judged = gate.end();
  const leak = leakIn(judged);
  const turn: Turn = leak.leakedCall ? Object.freeze({ ...judged, ...leak }) : judged;
  const decided = await decide({
    isUnderstood,
    turn,
    hasCalls: facts.hasCalls,
    hasForeignCall: facts.hasForeignCall,
    hasRoom: !share.isRefused,
    isWhole: facts.isWhole,
    isBroken,
    wasSent,
    says: holder.says,
    heldText: holder.text,
    heldMs: facts.heldSince === undefined ? 0 : performance.now() - facts.heldSince,
    heldChars: facts.heldChars,
  });
  yield { type: "outcome", outcome: decided, turn };
  let outcome = decided;
  if (decided.action === "retried") {
    // Asked for more, so the second request failed.
    if (decided.kept === undefined) return;
    outcome = decided.kept.give();
    yield { type: "outcome", outcome, turn };
  }
  if (outcome.action === "retried") return;
  if (outcome.action === "failed") return yield* failedOutputs(outcome.failure, protocol, ended);
  yield* heldOutputs(outcome.action === "passed" ? holder.texts() : [holder.edit(outcome.edit)]);
  if (isEnded) yield* relayRest(ended.relay, holder);
  else if (isLeftBroken(isBroken, outcome)) yield { type: "break" };
}

/** An error event, or only the end of the connection if the client reads no events. */
function* failedOutputs(
  failure: Failure,
  { afterError, failBody }: Protocol,
  { editor, wasSent, hasEvents, startOfEvent }: Ended,
): Generator<Output> {
  const isEvent = wasSent && hasEvents;
  if (isEvent) {
    const event = editor.fail?.(failure) ?? eventText(failBody(failure));
    yield { type: "text", text: startOfEvent + event };
  }
  if (!isEvent || afterError === "break") yield { type: "break" };
}

function* heldOutputs(texts: Iterable<string>): Generator<Output> {
  for (const text of texts) if (text !== "") yield { type: "text", text };
}

/** What comes after the end goes out too, up to the first call. A failure changes nothing. */
async function* relayRest(
  { read }: Ended["relay"],
  { rest, afterVerdict }: Holder,
): AsyncGenerator<Output, void> {
  let batch: readonly ReplyFrame[] | undefined = rest();
  while (batch !== undefined) {
    const { text, hasCall } = afterVerdict(batch);
    if (text !== "") yield { type: "text", text };
    if (hasCall) return;
    batch = (await read()).value;
  }
}
/** The value of an iterator's step, `undefined` at its end, or what it threw. */
interface Step<Value> {
  readonly value?: Value;
  readonly failure?: { readonly thrown: unknown };
}

/** Never rejects. */
const settle = <Value>(next: Promise<IteratorResult<Value>>): Promise<Step<Value>> =>
  next.then(
    ({ done, value }) => (done === true ? {} : { value }),
    (thrown: unknown) => ({ failure: { thrown } }),
  );
