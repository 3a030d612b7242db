import type { Frames, Reply, ReplyCall, Wire } from "../wire.ts";
import { describeCall, type OutlinedCall } from "./check.ts";
import { tryParseJson } from "./json.ts";
import { mapFrames } from "./mutate.ts";
import { fewTokens, finishedCalls, readCall, writeCall } from "./scenarios.ts";

/** A reply whose calls a careless reader finds too often. */
export interface OddReply {
  readonly at: string;
  readonly frames: Frames;
  /** The calls that may run, each as often as it is here. */
  readonly calls: readonly ReplyCall[];
}

/** Finished replies, of which hosts say the last call again. */
export const repeatedReplies = (wire: Wire): readonly OddReply[] =>
  (wire.repetitions ?? []).flatMap(({ how, repeat }) =>
    Object.entries({
      "one call": [readCall],
      "two calls, the second": [readCall, writeCall],
    }).map(([name, calls]) => ({
      at: `${name} ${how}`,
      frames: repeat(wire.frames(finishedCalls(wire, calls))),
      calls,
    })),
  );

/** The frames under ids that no other reply has. `undefined` if no event names its reply. */
function withOwnIds({ agent }: Wire, frames: Frames): Frames | undefined {
  const { upToTerminal, after = [] } = frames;
  const ids = new Set(
    [...upToTerminal, ...after].flatMap(
      (payload) => agent?.replyIds?.(tryParseJson(payload)) ?? [],
    ),
  );
  if (ids.size === 0) return undefined;
  const rename = (payload: string): string =>
    [...ids].reduce((renamed, id) => renamed.replaceAll(`"${id}"`, `"${id}_second"`), payload);
  return mapFrames(frames, rename);
}

/**
 * A reply that was cut before its stop reason, and behind it in the same body a complete one with
 * ids of its own. `undefined` if no event of the protocol names the reply that it is a part of.
 */
function withSecondReply(wire: Wire, first: Reply, second: Reply): Frames | undefined {
  const own = withOwnIds(wire, wire.frames(second));
  if (own === undefined) return undefined;
  const begun = wire.frames(first).upToTerminal.slice(0, -1 - (wire.eventsAfterStop ?? 0));
  return { ...own, upToTerminal: [...begun, ...own.upToTerminal] };
}

/** A call of a reply that was cut, and behind it another reply: by the ids of scripts. */
export function repliesBehindACall(
  wire: Wire,
  [call, other]: readonly [ReplyCall, ReplyCall] = [readCall, writeCall],
): readonly (OddReply & { readonly id: string })[] {
  const again = { ...call, id: `${call.id}_second` };
  const text: Reply = {
    blocks: [{ text: "Here it is." }],
    stop: wire.nativeStops.stop ?? "",
    output: fewTokens,
  };
  const seconds: readonly (readonly [string, string, Reply, readonly ReplyCall[]])[] = [
    ["second-reply", "a text", text, []],
    ["second-reply-same-call", "the same call", finishedCalls(wire, [again]), [again]],
    ["second-reply-other-call", "another call", finishedCalls(wire, [other]), [other]],
  ];
  return seconds.flatMap(([id, name, second, calls]) => {
    const frames = withSecondReply(wire, finishedCalls(wire, [call]), second);
    const at = `one call of a reply that was cut, then another reply with ${name}`;
    return frames === undefined ? [] : [{ id, at, frames, calls }];
  });
}

export const whyNoRepetition = ({ wire }: { readonly wire: Wire }): string | undefined =>
  wire.repetitions === undefined
    ? "no host is known that says a call of this protocol a second time, without its id"
    : undefined;

export const whyNoSecondReply = ({ wire }: { readonly wire: Wire }): string | undefined =>
  repliesBehindACall(wire).length === 0
    ? "no event of the protocol names the reply that it is a part of"
    : undefined;

/** What `describeExcess` gives if nothing ran too often. */
export const noExcess = "no call too often";

/** The lines of the first list that the second lacks; each line counts as often as it occurs. */
export function missingFrom(
  lines: readonly string[],
  others: readonly string[],
): readonly string[] {
  const left = [...others];
  return lines.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** The calls that ran more often than those that may run. */
export function describeExcess(
  ran: readonly OutlinedCall[],
  allowed: readonly OutlinedCall[],
): string {
  const excess = missingFrom(ran.map(describeCall), allowed.map(describeCall));
  return excess.length === 0 ? noExcess : `too often: ${excess.join(" and ")}`;
}
