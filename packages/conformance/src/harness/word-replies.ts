import type { Fixture, Frames, Reply, Wire } from "../wire.ts";
import { expectedTurnOf } from "./check.ts";
import { mapFrames } from "./mutate.ts";
import { fewTokens, readCall } from "./scenarios.ts";

/** A native stop reason that no vendor and no host has. */
export const unlistedStop = "x_never_heard_of";

/** A native stop reason that no other text of a reply has. */
const noWord = "x_no_word_here";
const withoutPlaceholder = (text: string): string =>
  text.replaceAll(JSON.stringify(noWord), "null");

/** A reply in both forms, as far as the protocol has them. */
export type BothForms = Pick<Fixture, "frames" | "body">;

const bothForms = (wire: Wire, reply: Reply): BothForms => {
  const body = wire.whole?.(reply);
  return { frames: wire.frames(reply), ...(body !== undefined && { body }) };
};

/** The reply with `null` in the place of its native stop reason. */
export function withoutStop(wire: Wire, reply: Omit<Reply, "stop">): BothForms {
  const { frames, body } = bothForms(wire, { ...reply, stop: noWord });
  return {
    frames: mapFrames(frames, withoutPlaceholder),
    ...(body !== undefined && { body: withoutPlaceholder(body) }),
  };
}

/** A reply that a reader of one word takes for finished. */
export interface WordReply extends Pick<Fixture, "name" | "turn" | "body"> {
  /** Absent if the type of the last event would say the stop reason all the same. */
  readonly frames?: Frames;
  /** What it says: the word for the cap with a small usage, an unlisted word, or no word. */
  readonly says: "small usage" | "unlisted" | "nothing";
}

/** A whole call under a word with which it must not run, in both forms. */
export function wordReplies(wire: Wire): readonly WordReply[] {
  const { length } = wire.nativeStops;
  const call = { blocks: [readCall], output: fewTokens };
  const capped: Reply = { ...call, stop: length ?? "" };
  const unlisted: Reply = { ...call, stop: unlistedStop };
  const { frames, body } = withoutStop(wire, call);
  return [
    ...(length === undefined
      ? []
      : [
          {
            name: "one call, length, a usage far below the cap",
            says: "small usage" as const,
            turn: expectedTurnOf(wire, capped),
            ...bothForms(wire, capped),
          },
        ]),
    {
      name: "one call, a stop reason that the vendor does not list",
      says: "unlisted",
      turn: { stopReason: "unknown", calls: [] },
      ...bothForms(wire, unlisted),
    },
    {
      name: "one call, no stop reason",
      says: "nothing",
      turn: { stopReason: "interrupted", calls: [] },
      ...(body !== undefined && { body }),
      ...(!wire.endIsTyped && { frames }),
    },
  ];
}
