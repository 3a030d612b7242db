import { type Gate, ProviderError } from "@fullstop/core";
import { parseFrames, stringifyJson } from "@fullstop/core/adapter";
import {
  type CallReader,
  type Edit,
  endsEvent,
  type GrantedCall,
  type Protocol,
  type ReplyFrame,
  type StreamEditor,
} from "../protocols/protocol.ts";
import { closeFrames, createLineEndSplitter } from "./frame-ends.ts";

export interface Holder {
  /**
   * Pushes the events into the gate, up to the protocol's own end if it does not wait behind it: how
   * the bytes were split must not decide what counts. Returns the text that goes out now.
   */
  take(batch: readonly ReplyFrame[], gate: Gate): string;
  /** The events behind the protocol's own end. */
  rest(): readonly ReplyFrame[];
  text(): string;
  /** The same in parts, so that a long text is not copied as a whole. */
  texts(): Iterable<string>;
  /** Gives the blank lines before a reply if nothing else has come. They are then no longer held. */
  takeBlank(): string;
  edit(edit: Edit): string;
  says(calls: readonly GrantedCall[], isStrict: boolean): boolean;
  /** Up to the first call. A second end of a reply with calls is left out. */
  afterVerdict(batch: readonly ReplyFrame[]): { readonly text: string; readonly hasCall: boolean };
  readonly facts: HeldFacts;
}

export interface HeldFacts {
  /** What follows the protocol's own end of a reply with calls counts, too. */
  readonly waits: boolean;
  hasCalls: boolean;
  /** A call came in a form that the gate does not judge. */
  hasForeignCall: boolean;
  isOpened: boolean;
  isWhole: boolean;
  /** Something went out, and nothing is held. */
  isLive: boolean;
  heldChars: number;
  /** When the first part of a call came, in milliseconds. */
  heldSince: number | undefined;
  overflow: ProviderError | undefined;
}

const createFacts = (waits: boolean): HeldFacts => ({
  waits,
  hasCalls: false,
  hasForeignCall: false,
  isOpened: false,
  isWhole: false,
  isLive: false,
  heldChars: 0,
  heldSince: undefined,
  overflow: undefined,
});

interface HolderOptions extends Pick<HeldFacts, "waits"> {
  /** The largest number of characters that are held. */
  readonly maxHeld: number;
  /** A call in a form that the gate does not judge is held, with all that follows. */
  readonly isStrict: boolean;
}

export function createHolder(
  protocol: Protocol,
  editor: StreamEditor,
  { maxHeld, waits, isStrict }: HolderOptions,
): Holder {
  const facts = createFacts(waits);
  const held = createHeldEvents(protocol, editor);
  const splitLineEnds = createLineEndSplitter();
  let body: ReplyFrame | undefined;
  const rest: ReplyFrame[] = [];
  const hold = (frame: ReplyFrame): string => {
    facts.isWhole ||= frame.isWhole === true;
    if (frame.isWhole) body = frame;
    else held.add(frame);
    facts.isLive = false;
    countHeld(facts, frame, maxHeld);
    return "";
  };
  const takeEvent = (frame: ReplyFrame): string => {
    const kind = editor.classify(frame.native);
    facts.isOpened ||= kind === "opening";
    if (kind !== "live") hold(frame);
    if (kind === "call") {
      noteCall(facts);
      held.startCalls();
    }
    if (kind !== "live") return "";
    facts.isLive = true;
    return held.isEmpty() ? frame.raw : held.release() + frame.raw;
  };
  const takeFrame = (frame: ReplyFrame): string => {
    if (noteForeign(facts, frame, editor) && protocol.body.hasCalls(frame.native)) noteCall(facts);
    if (frame.isWhole || mustWait(facts, isStrict)) return hold(frame);
    if (frame.native !== undefined) return takeEvent(frame);
    return facts.isLive && isComment(frame) ? frame.raw : hold(frame);
  };
  return {
    facts,
    text: () => held.text() + (body?.raw ?? ""),
    texts: () => (body === undefined ? held.texts() : [held.text(), body.raw]),
    takeBlank: () => (body === undefined && held.text().trim() === "" ? held.release() : ""),
    take: (batch, gate) =>
      batch
        .map((frame) => {
          if (isVoid(gate, facts)) return "";
          const isPushed = (facts.hasCalls && waits) || gate.state !== "ended";
          if (isPushed && !pushBehindEnd(gate, frame, protocol))
            return splitLineEnds(frame).map(takeFrame).join("");
          rest.push(countHeld(facts, frame, maxHeld));
          return "";
        })
        .join(""),
    rest: () => rest,
    edit: (edit) =>
      body === undefined ? held.edit(edit) : stringifyJson(protocol.body.edit(body.native, edit)),
    says: (calls, isStrict) =>
      body === undefined
        ? held.says(calls, isStrict)
        : protocol.body.says(body.native, calls, isStrict),
    afterVerdict: (batch) => readRest(batch, editor, facts),
  };
}

/** Returns whether the frame is the whole reply. */
function noteForeign(
  facts: HeldFacts,
  { native, isWhole }: ReplyFrame,
  editor: StreamEditor,
): boolean {
  if (editor.hasForeignCall?.(native)) facts.hasForeignCall = true;
  return isWhole === true;
}

const mustWait = ({ hasCalls, hasForeignCall }: HeldFacts, isStrict: boolean): boolean =>
  hasCalls || (isStrict && hasForeignCall);

/** The reply has calls, and nothing can make them run any more: the rest of it is not taken. */
export const isVoid = ({ state }: Gate, { hasCalls }: HeldFacts): boolean =>
  state === "void" && hasCalls;

function countHeld(facts: HeldFacts, frame: ReplyFrame, maxHeld: number): ReplyFrame {
  facts.heldChars += frame.raw.length;
  if (facts.heldChars > maxHeld) facts.overflow ??= heldTooMuch(maxHeld);
  return frame;
}

function readRest(
  batch: readonly ReplyFrame[],
  editor: StreamEditor,
  { hasCalls }: HeldFacts,
): ReturnType<Holder["afterVerdict"]> {
  const call = batch.findIndex((frame) => isCall(editor, frame));
  const before = call < 0 ? batch : batch.slice(0, call);
  const kept = before.filter(({ native }) => !(hasCalls && editor.isEnd?.(native)));
  return { text: rawText(kept), hasCall: call >= 0 };
}

const rawText = (frames: readonly ReplyFrame[]): string => frames.map(({ raw }) => raw).join("");

/** Pushes an event. Returns whether the protocol's own end came before it, and still stands. */
function pushBehindEnd(gate: Gate, frame: ReplyFrame, protocol: Protocol): boolean {
  const wasEnded = gate.state === "ended";
  pushInto(gate, frame, protocol);
  return wasEnded && gate.state === "ended";
}

/** A body may be a list of events. */
function pushInto(gate: Gate, { native, isWhole }: ReplyFrame, { read }: Protocol): void {
  if (native === undefined) return;
  for (const event of isWhole && Array.isArray(native) ? native : [native])
    gate.push(read?.(event) ?? event);
}

/** Whether a frame without an event is a whole comment, and not data that cannot be read. */
const isComment = ({ raw }: ReplyFrame): boolean => endsEvent(raw) && !dataLine.test(raw);
const dataLine = /^\uFEFF?data/m;

function noteCall(facts: HeldFacts): void {
  facts.hasCalls = true;
  facts.heldSince ??= performance.now();
}

const isCall = (editor: StreamEditor, { native }: ReplyFrame): boolean =>
  native !== undefined && editor.classify(native) === "call";

const heldTooMuch = (limit: number): ProviderError =>
  new ProviderError(
    `The guard holds at most ${limit} characters of a reply, and this reply has more. Raise \`maxHeld\`, or ask for a smaller reply.`,
    { kind: "too-large" },
  );

/** Of the events behind the first call only the text is kept: they may be very many. */
function createHeldEvents(protocol: Protocol, editor: StreamEditor) {
  let frames: ReplyFrame[] = [];
  const later: string[] = [];
  let reader: CallReader | undefined;
  /** An event came that has no line of data: clients leave it out. */
  let lacksData = false;
  const read = ({ native, raw }: ReplyFrame): void => {
    if (native === undefined) return;
    reader?.add(native, raw);
    lacksData ||= !dataLine.test(raw.trimStart());
  };
  const pieces = (): readonly string[] => [...frames.map(({ raw }) => raw), ...later];
  const text = (): string => pieces().join("");
  return {
    text,
    texts: (): Iterable<string> => joinPieces(pieces()),
    isEmpty: (): boolean => frames.length === 0,
    add(frame: ReplyFrame): void {
      if (reader === undefined) {
        frames.push(frame);
        return;
      }
      read(frame);
      later.push(frame.raw);
    },
    release(): string {
      const released = text();
      frames = [];
      return released;
    },
    /** From now on the calls are read. The event with the first call was added. */
    startCalls(): void {
      reader = editor.createCallReader();
      frames.forEach(read);
    },
    says: (calls: readonly GrantedCall[], isStrict: boolean): boolean =>
      reader === undefined ? calls.length === 0 : !lacksData && reader.says(calls, isStrict),
    edit(edit: Edit): string {
      const parsed = later.length === 0 ? [] : parseFrames(later.join(""), protocol);
      for (const { native } of parsed) if (native !== undefined) editor.classify(native);
      return editor.edit(closeFrames([...frames, ...parsed]), edit);
    },
  };
}

const partLength = 65_536;
function* joinPieces(pieces: readonly string[]): Generator<string> {
  let part = "";
  for (const piece of pieces) {
    part += piece;
    if (part.length < partLength) continue;
    yield part;
    part = "";
  }
  yield part;
}
