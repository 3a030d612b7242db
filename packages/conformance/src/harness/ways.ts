import type { Frames, Reply, Wire } from "../wire.ts";
import { type Effort, smallSample, wholeAnswer } from "./bytes.ts";
import { type Check, claimedStopOf, expectedOutline, isFinished, outline } from "./check.ts";
import { checkReply, type Harness, type Sent, type TurnExpectation } from "./harness.ts";
import { isObject, tryParseJson } from "./json.ts";
import { cap, fewTokens, tokensForStop } from "./scenarios.ts";

/** A reply in each way in which it is written. */
export interface WrittenReply {
  /** Streamed. `undefined` if this reply cannot be streamed. */
  readonly frames: Frames | undefined;
  /** In one piece. `undefined` if this reply cannot be written so, or the wire writes none. */
  readonly body: string | undefined;
}

export const writeReply = (wire: Wire, reply: Reply): WrittenReply => ({
  frames: wire.frames(reply),
  body: wire.whole?.(reply),
});

/** How the name of a check ends if its reply comes in one piece. */
export const inOnePiece = ", in one piece";

/** Says that a clause asks less because the wire lacks a member. Nothing is tried. */
export function* lackOf(
  { wire }: Pick<Harness, "wire">,
  member: keyof Wire,
  what: string,
): Generator<Check> {
  if (wire[member] !== undefined) return;
  const notAsked = `${what}: the wire has no \`${member}\``;
  yield { at: what, expected: "", actual: "", notAsked };
}

/** A reply in each way of writing. The second name is that of the way. */
export function* waysOf(
  { wire }: Pick<Harness, "wire">,
  sent: Reply | WrittenReply,
): Generator<readonly [suffix: string, sent: Sent]> {
  const { frames, body } = "blocks" in sent ? writeReply(wire, sent) : sent;
  if (frames !== undefined) yield ["", frames];
  if (body !== undefined) yield [inOnePiece, wholeAnswer(body)];
}

/** Says of a clause that its replies were only streamed, if the wire writes none in one piece. */
export const lackOfWays = (harness: Pick<Harness, "wire">): Generator<Check> =>
  lackOf(harness, "whole", "in one piece");

/** Sends a reply in each way of writing, and compares the turns with the expected outline. */
export async function* checkReplies(
  harness: Harness,
  at: string,
  sent: Reply | WrittenReply,
  wanted: string | TurnExpectation,
): AsyncGenerator<Check> {
  for (const [suffix, written] of waysOf(harness, sent))
    yield checkReply(harness, at + suffix, written, wanted);
  yield* lackOfWays(harness);
}

/** Whether it holds nothing but counts: a usage. */
const holdsCounts = (value: Readonly<Record<string, unknown>>): boolean =>
  Object.values(value).every((inner) => typeof inner === "number" || isObject(inner));

const isOtherCount = (one: unknown, other: unknown): boolean =>
  typeof one === "number" && one !== other;

/** The value without the members that differ between it and the other. A usage goes as a whole. */
function withoutDifferences(value: unknown, other: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(other))
    return value.map((inner, index) => withoutDifferences(inner, other[index]));
  if (!isObject(value) || !isObject(other)) return value;
  const kept = Object.entries(value).flatMap(
    ([key, inner]): readonly (readonly [string, unknown])[] => {
      const to = other[key];
      const isGone =
        isObject(inner) && isObject(to)
          ? holdsCounts(inner) &&
            Object.keys(inner).some((name) => isOtherCount(inner[name], to[name]))
          : typeof inner !== "object" && inner !== to;
      return isGone ? [] : [[key, withoutDifferences(inner, to)]];
    },
  );
  return Object.fromEntries(kept);
}

const withoutWhatDiffers = (text: string, other: string | undefined): string => {
  const value = tryParseJson(text);
  return isObject(value)
    ? JSON.stringify(withoutDifferences(value, tryParseJson(other ?? "")))
    : text;
};

function withoutMembers(wire: Wire, reply: Reply, other: Partial<Reply>): WrittenReply {
  const one = writeReply(wire, reply);
  const two = writeReply(wire, { ...reply, ...other });
  const strip = (list: readonly string[], others: readonly string[] = []): readonly string[] =>
    list.map((payload, index) => withoutWhatDiffers(payload, others[index]));
  const { frames, body } = one;
  return {
    frames: frames && {
      upToTerminal: strip(frames.upToTerminal, two.frames?.upToTerminal),
      ...(frames.after && { after: strip(frames.after, two.frames?.after) }),
    },
    body: body === undefined ? undefined : withoutWhatDiffers(body, two.body),
  };
}

/** The reply without the members that depend on its output tokens. */
export const withoutUsage = (wire: Wire, reply: Reply): WrittenReply =>
  withoutMembers(wire, { ...reply, output: 900_001 }, { output: 900_002 });

/**
 * The reply in one piece, without the members that hold its native stop reason, and without a usage.
 * In a stream the name of an event may be a stop reason, too.
 */
export function withoutNativeStop(wire: Wire, reply: Reply): WrittenReply {
  const { body } = withoutMembers(
    wire,
    { ...reply, stop: "x_one", output: 900_001 },
    { stop: "x_two", output: 900_002 },
  );
  return { frames: undefined, body };
}

interface UsedReply {
  /** The end of its name. */
  readonly suffix: string;
  readonly sent: Reply | WrittenReply;
}

/** Of a reply under the native stop reason for the cap far below it, of any other at the cap. */
const otherTokens = (wire: Wire, { stop }: Reply): number =>
  tokensForStop(wire, stop) === cap ? fewTokens : cap;
const otherUsage = (wire: Wire, reply: Reply): string =>
  `, after ${otherTokens(wire, reply)} tokens`;

/** The reply with a usage that fits its native stop reason, with another one, and without one. */
const usedReplies = (wire: Wire, reply: Reply): readonly UsedReply[] => [
  { suffix: "", sent: { ...reply, output: tokensForStop(wire, reply.stop) } },
  { suffix: otherUsage(wire, reply), sent: { ...reply, output: otherTokens(wire, reply) } },
  { suffix: ", without a usage", sent: withoutUsage(wire, reply) },
];

/**
 * Which usages are tried. In a small sample one of the two others is left out, and under other native
 * stop reasons than that for the cap both are.
 */
function usagesFor(wire: Wire, reply: Reply, number: number, effort: Effort): readonly UsedReply[] {
  const all = usedReplies(wire, reply);
  const isSmall = smallSample(effort) !== undefined;
  if (isFinished({ stopReason: claimedStopOf(wire, reply.stop) })) return all.slice(0, 1);
  if (!isSmall) return all;
  return reply.stop === wire.nativeStops.length
    ? all.filter((_, index) => index === 0 || index === 1 + (number % 2))
    : all.slice(0, 1);
}

/**
 * Sends a reply in each way of writing. Under a native stop reason under which nothing runs it also
 * comes with other usages: then another reason is right, too, if nothing runs.
 */
export async function* checkUnderUsages(
  harness: Harness,
  at: string,
  reply: Reply,
  number: number,
): AsyncGenerator<Check> {
  const { wire } = harness;
  const right = expectedOutline(wire, reply);
  for (const { suffix, sent } of usagesFor(wire, reply, number, harness))
    yield* checkReplies(harness, at + suffix, sent, {
      expected: (turn) =>
        suffix !== "" && turn.calls.length === 0 && !isFinished(turn) ? outline(turn) : right,
    });
}
