import { type Gate, ProviderError } from "@fullstop/core";
import {
  type BodyEditor,
  type Edit,
  endsEvent,
  type GrantedCall,
  type Protocol,
  type ReplyFrame,
  type StreamEditor,
} from "../protocols/protocol.ts";
import { closeFrames, createLineEndSplitter } from "./frame-ends.ts";

/** Holds what may not go out before the verdict. */
export interface Holder {
  /** Pushes the events into the gate. Returns the text that goes out now. */
  take(batch: readonly ReplyFrame[], gate: Gate): string;
  /** The text of all held events. */
  text(): string;
  /** The text of the held events with their calls replaced. */
  edit(edit: Edit): string;
  says(calls: readonly GrantedCall[], isStrict: boolean): boolean;
  /** The text of events that came after the verdict, up to the first call. */
  afterVerdict(batch: readonly ReplyFrame[]): { readonly text: string; readonly hasCall: boolean };
  readonly facts: HeldFacts;
}

/** What is known about the reply besides its calls. */
export interface HeldFacts {
  /** A part of a call came. */
  hasCalls: boolean;
  /** An event came that begins a reply. */
  isOpened: boolean;
  /** The reply is one JSON body. */
  isWhole: boolean;
  /** Something went out, and nothing is held. */
  isLive: boolean;
  heldChars: number;
  /** When the first part of a call came, in milliseconds. */
  heldSince: number | undefined;
  overflow: ProviderError | undefined;
}

const createFacts = (): HeldFacts => ({
  hasCalls: false,
  isOpened: false,
  isWhole: false,
  isLive: false,
  heldChars: 0,
  heldSince: undefined,
  overflow: undefined,
});

/** `maxHeld`: the largest number of characters that are held. */
export function createHolder(protocol: Protocol, editor: StreamEditor, maxHeld: number): Holder {
  const facts = createFacts();
  const splitLineEnds = createLineEndSplitter();
  let held: ReplyFrame[] = [];
  const hold = (frame: ReplyFrame): string => {
    held.push(frame);
    facts.isLive = false;
    facts.heldChars += frame.raw.length;
    if (facts.heldChars > maxHeld) facts.overflow ??= heldTooMuch(maxHeld);
    return "";
  };
  const takeComment = (frame: ReplyFrame): string =>
    facts.isLive && isComment(frame) ? frame.raw : hold(frame);
  const takeEvent = (frame: ReplyFrame): string => {
    const kind = editor.classify(frame.native);
    facts.isOpened ||= kind === "opening";
    if (kind === "call") noteCall(facts);
    if (kind !== "live" || facts.hasCalls) return hold(frame);
    const text = held.length === 0 ? frame.raw : rawText(held) + frame.raw;
    held = [];
    facts.isLive = true;
    return text;
  };
  const takeWhole = (frame: ReplyFrame): string => {
    facts.isWhole = true;
    if (protocol.body.hasCalls(frame.native)) noteCall(facts);
    return hold(frame);
  };
  const takeFrame = (frame: ReplyFrame): string => {
    if (frame.isWhole) return takeWhole(frame);
    return frame.native === undefined ? takeComment(frame) : takeEvent(frame);
  };
  return {
    facts,
    text: () => rawText(held),
    take(batch, gate) {
      let text = "";
      for (const frame of batch) {
        for (const event of eventsOf(frame)) gate.push(protocol.read?.(event) ?? event);
        for (const part of splitLineEnds(frame)) text += takeFrame(part);
      }
      return text;
    },
    edit: (edit) =>
      facts.isWhole ? editBody(protocol.body, held, edit) : editor.edit(closeFrames(held), edit),
    says: (calls, isStrict) =>
      facts.isWhole
        ? bodySays(protocol.body, held, { calls, isStrict })
        : editor.says(held, calls, isStrict),
    afterVerdict(batch) {
      const call = batch.findIndex((frame) => isCall(editor, frame));
      return { text: rawText(call < 0 ? batch : batch.slice(0, call)), hasCall: call >= 0 };
    },
  };
}

const rawText = (frames: readonly ReplyFrame[]): string => frames.map(({ raw }) => raw).join("");

/** Whether a frame without an event is a whole comment, and not data that cannot be read. */
const isComment = ({ raw }: ReplyFrame): boolean => endsEvent(raw) && !/^\uFEFF?data/m.test(raw);

function noteCall(facts: HeldFacts): void {
  facts.hasCalls = true;
  facts.heldSince ??= performance.now();
}

const isCall = (editor: StreamEditor, { native }: ReplyFrame): boolean =>
  native !== undefined && editor.classify(native) === "call";

/** The events of a frame: a body may be a list of them. */
function eventsOf({ native, isWhole }: ReplyFrame): readonly unknown[] {
  if (native === undefined) return [];
  return isWhole && Array.isArray(native) ? native : [native];
}

interface Granted {
  readonly calls: readonly GrantedCall[];
  readonly isStrict: boolean;
}
const bodySays = (
  body: BodyEditor,
  held: readonly ReplyFrame[],
  { calls, isStrict }: Granted,
): boolean =>
  held.every(({ native }) => native === undefined || body.says(native, calls, isStrict));

const editBody = (body: BodyEditor, held: readonly ReplyFrame[], edit: Edit): string =>
  held
    .map(({ native, raw }) =>
      native === undefined ? raw : JSON.stringify(body.edit(native, edit)),
    )
    .join("");

const heldTooMuch = (limit: number): ProviderError =>
  new ProviderError(
    `The guard holds at most ${limit} characters of a reply, and this reply has more. Raise \`maxHeld\`, or ask for a smaller reply.`,
    { kind: "too-large" },
  );
