import type { ClaimedStop } from "@fullstop/core/adapter";
import { fewTokens, nativeStopForCalls } from "../harness/scenarios.ts";
import { unlistedStop, withoutStop } from "../harness/word-replies.ts";
import type { Reply, ReplyCall } from "../wire.ts";
import {
  answeredWith,
  inputTextOf,
  nothingMayRun,
  renderLongCut,
  renderReply,
  renderWithText,
  type Script,
  type ScriptContext,
  type ScriptedReply,
  type ScriptList,
  type ScriptNames,
  threeQuarters,
} from "./script.ts";
import { joined, onlyForCalls, unlessEmpty } from "./text-inputs.ts";

const complete = (
  context: ScriptContext,
  names: ScriptNames,
  blocks: readonly ReplyCall[],
  stop: string = nativeStopForCalls(context.wire) ?? "",
): Script => answeredWith(context, names, renderReply(context, { blocks, stop }), blocks);

const parallelScript =
  (count: number, names: ScriptNames): ScriptList =>
  (context) =>
    context.wire.agent?.actsOnText ? [] : [complete(context, names, context.calls.slice(0, count))];

export const twoCalls: ScriptList = parallelScript(2, {
  id: "two-calls",
  name: "two parallel calls",
});
const threeCalls = parallelScript(3, { id: "three-calls", name: "three parallel calls" });

const longInput: ScriptList = (context) => {
  const names = { id: "long-input", name: "one call with an input of more than 4 kB" };
  return context.longCall === undefined ? [] : [complete(context, names, [context.longCall])];
};

/** A call under the stop reason of a finished text, where that is another one than for calls. */
const underTextStop: ScriptList = (context) => {
  const { wire, calls } = context;
  const { stop } = wire.nativeStops;
  if (stop === undefined || stop === nativeStopForCalls(wire) || wire.callsNeedTheirStop) return [];
  const names = { id: "text-stop", name: `one call under "${stop}"` };
  return [complete(context, names, [calls[0]], stop)];
};

/** Complete replies, whose calls must run. */
export const completeReplies: ScriptList = (context) => [
  complete(context, { id: "one-call", name: "one call" }, [context.calls[0]]),
  ...twoCalls(context),
  ...threeCalls(context),
  ...longInput(context),
  ...(context.forcesCall ? underTextStop(context) : []),
];

/** The same under the stop reason of a finished text, to requests that force no call. */
export const unforcedTextStops: ScriptList = onlyForCalls(
  unlessEmpty(
    (context) => (context.forcesCall ? [] : underTextStop(context)),
    ({ wire, forcesCall }) => {
      if (forcesCall)
        return "its requests force a call, and then the vendor itself sends this: stop.whole asks it";
      if (wire.callsNeedTheirStop)
        return "the vendor says to run calls only under the native stop reason for calls";
      return wire.nativeStops.stop === nativeStopForCalls(wire)
        ? "in this protocol a finished text and finished calls have the same native stop reason"
        : undefined;
    },
  ),
);

/** Stop reasons under which calls run, or which other scripts try. */
const triedElsewhere: readonly string[] = [
  "stop",
  "tool-use",
  "unknown",
  "length",
] satisfies ClaimedStop[];

/**
 * Stop reasons of the vendor after which nothing may run, but for the cap. Under the one with which
 * a provider pauses for its own tools no call of the client comes, so nothing about one is asked.
 */
const otherStops: ScriptList = (context) => {
  const { nativeStops, unlistedStops = [], stopsWithoutCalls = [], pause } = context.wire;
  const excluded = [...unlistedStops, ...stopsWithoutCalls, pause?.stop];
  return Object.entries(nativeStops).flatMap(([reason, stop]) =>
    triedElsewhere.includes(reason) || excluded.includes(stop)
      ? []
      : underNativeStop(stop, stop, `"${stop}" (${reason})`)(context),
  );
};

/** A turn that the provider pauses, to subjects that offer tools of the provider. */
export const pausedTurn: ScriptList = (context) => {
  const { wire, canPause } = context;
  const { pause, fixtures } = wire;
  const reply = fixtures?.find(({ file }) => file !== undefined && file === pause?.fixture);
  if (pause === undefined || reply === undefined || !canPause) return [];
  const name = `a turn that waits for a tool of the provider, under "${pause.stop}"`;
  return [answeredWith(context, { id: pause.stop, name }, reply)];
};

/** A call of which only the name came before the cap: its input reads as empty. */
function renderNameOnly(context: ScriptContext, change: Partial<Reply>): ScriptedReply {
  const [call] = context.calls;
  const emptyText = call.inputText === undefined ? "{}" : "";
  const asText = renderWithText(context, emptyText, change);
  return asText?.body === undefined
    ? renderReply(context, { ...change, blocks: [{ ...call, input: {} }] })
    : asText;
}

/** The stop reason of the cap: with a whole and a cut input, and with what the cap leaves of two calls. */
const lengthStops: ScriptList = (context) => {
  const { nativeStops, agent } = context.wire;
  const stop = nativeStops.length;
  if (stop === undefined) return [];
  const under = `under "${stop}" (length)`;
  const announced = { text: "I will make two calls." };
  return joined(
    nothingMayRun(stop, `one call ${under}`, (_, output) => renderReply(context, { stop, output })),
    // A full window, a host with a lower cap and reasoning that is not counted look so.
    nothingMayRun(`${stop}-small-usage`, `one call ${under}, with a usage far below the cap`, () =>
      renderReply(context, { stop }),
    ),
    nothingMayRun(`${stop}-cut-input`, `one call, its input cut, ${under}`, (_, output) =>
      renderWithText(context, threeQuarters(inputTextOf(context.calls[0])), { stop, output }),
    ),
    nothingMayRun(
      `${stop}-long-cut`,
      `one call, its input of more than 4 kB cut, ${under}`,
      (_, output) => renderLongCut(context, { stop, output }),
    ),
    ...(agent?.actsOnText
      ? []
      : [
          nothingMayRun(`${stop}-name-only`, `one call, only its name, ${under}`, (_, output) =>
            renderNameOnly(context, { stop, output }),
          ),
          nothingMayRun(
            `${stop}-sibling-missing`,
            `the first of two calls, the second missing, ${under}`,
            (_, output) =>
              renderReply(context, { blocks: [announced, context.calls[0]], stop, output }),
          ),
        ]),
  )(context);
};

/** Every stop reason of the vendor after which nothing may run. */
export const nativeStops: ScriptList = joined(otherStops, lengthStops);

/** A reply that reached the cap, with the native stop reason of a finished one. */
export const reachedCap: ScriptList = nothingMayRun(
  "used-up-cap",
  "one call that used up the cap",
  (context, output) => (context.cap === undefined ? undefined : renderReply(context, { output })),
);

const underNativeStop = (id: string, stop: string, name = JSON.stringify(stop)): ScriptList =>
  nothingMayRun(id, `one call under ${name}`, (context) => renderReply(context, { stop }));

/** Stop reasons that the vendor does not list: an invented one, and those that hosts send. */
export const unknownStops: ScriptList = (context) => [
  ...underNativeStop("unknown-stop", unlistedStop)(context),
  ...(context.wire.unlistedStops ?? []).flatMap((stop) => underNativeStop(stop, stop)(context)),
];
/** A call under a stop reason beside which no public recording of the vendor has one. */
export const stopsWithoutCalls: ScriptList = unlessEmpty(
  (context) =>
    (context.wire.stopsWithoutCalls ?? []).flatMap((stop) => underNativeStop(stop, stop)(context)),
  ({ wire }) =>
    wire.stopsWithoutCalls
      ? undefined
      : "public recordings of the vendor have a call beside each of its stop reasons",
);

/** Under a blank stop reason, and without one. */
export const blankStops: ScriptList = joined(
  underNativeStop("empty-stop", ""),
  nothingMayRun("missing-stop", "one call under `null`", ({ wire, calls: [call], streams }) =>
    streams && wire.endIsTyped
      ? undefined
      : withoutStop(wire, { blocks: [call], output: fewTokens }),
  ),
);
