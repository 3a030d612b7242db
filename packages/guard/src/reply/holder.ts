import { type Gate, ProviderError } from "@fullstop/core";
import type { BodyEditor, Edit, GrantedCall, Protocol, ReplyFrame } from "../protocols/protocol.ts";

/** Holds what may not go out before the verdict. */
export interface Holder {
  /** Pushes the events into the gate. Returns the text that goes out now. */
  take(batch: readonly ReplyFrame[], gate: Gate): string;
  /** The text of all held events, which are then no longer held. */
  release(): string;
  /** The text of the held events with their calls replaced. */
  edit(edit: Edit): string;
  says(calls: readonly GrantedCall[], isStrict: boolean): boolean;
  /** The text of all held events. */
  text(): string;
  /** The text of an event of which the calls are left out, after the verdict. */
  afterVerdict(batch: readonly ReplyFrame[]): string;
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
  heldChars: number;
  /** When the first part of a call came, in milliseconds. */
  heldSince: number | undefined;
  overflow: ProviderError | undefined;
}

export function createHolder(
  protocol: Protocol,
  editor: ReturnType<Protocol["createEditor"]>,
  maxHeld: number,
): Holder {
  const facts: HeldFacts = {
    hasCalls: false,
    isOpened: false,
    isWhole: false,
    heldChars: 0,
    heldSince: undefined,
    overflow: undefined,
  };
  let held: ReplyFrame[] = [];
  let wasLive = false;
  const heldText = (): string => held.map(({ raw }) => raw).join("");
  const release = (): string => {
    const text = heldText();
    held = [];
    return text;
  };
  const hold = (frame: ReplyFrame): void => {
    held.push(frame);
    facts.heldChars += frame.raw.length;
    if (facts.heldChars > maxHeld) facts.overflow ??= heldTooMuch(maxHeld);
  };
  const takeEvent = (frame: ReplyFrame): string => {
    const kind = editor.classify(frame.native);
    facts.isOpened ||= kind === "opening";
    if (kind === "call") {
      facts.hasCalls = true;
      facts.heldSince ??= performance.now();
    }
    if (kind !== "live" || facts.hasCalls) {
      hold(frame);
      return "";
    }
    wasLive = true;
    return held.length === 0 ? frame.raw : release() + frame.raw;
  };
  const takeWhole = (frame: ReplyFrame): void => {
    facts.isWhole = true;
    facts.hasCalls ||= protocol.body.hasCalls(frame.native);
    hold(frame);
  };
  return {
    facts,
    release,
    text: heldText,
    take(batch, gate) {
      let text = "";
      for (const frame of batch) {
        const { native, raw, isWhole } = frame;
        for (const event of isWhole && Array.isArray(native) ? native : [native])
          if (event !== undefined) gate.push(event);
        if (isWhole) takeWhole(frame);
        else if (native !== undefined) text += takeEvent(frame);
        else if (wasLive && held.length === 0) text += raw;
        else hold(frame);
      }
      return text;
    },
    edit: (edit) => (facts.isWhole ? editBody(protocol.body, held, edit) : editor.edit(held, edit)),
    says: (calls, isStrict) =>
      facts.isWhole
        ? held.every(
            ({ native }) => native === undefined || protocol.body.says(native, calls, isStrict),
          )
        : editor.says(held, calls, isStrict),
    afterVerdict: (batch) =>
      batch
        .filter(({ native }) => native === undefined || editor.classify(native) !== "call")
        .map(({ raw }) => raw)
        .join(""),
  };
}

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
