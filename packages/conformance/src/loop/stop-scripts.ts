import type { ClaimedStop } from "@fullstop/core/adapter";
import type { Reply } from "../wire.ts";
import {
  answering,
  inputTextOf,
  nothingMayRun,
  nothingMayRunAtCap,
  renderReply,
  renderWithText,
  type ScriptContext,
  type ScriptedReply,
  type ScriptList,
  threeQuarters,
} from "./script.ts";
import { joined, unlessEmpty } from "./text-inputs.ts";

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
  return [
    {
      id: pause.stop,
      name: `a turn that waits for a tool of the provider, under "${pause.stop}"`,
      steps: [answering(context, () => reply)],
      expectedCalls: [],
    },
  ];
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

/** What the cap leaves of two calls: a part of the first one, or the first one alone. */
const cutPlans: ScriptList = (context) => {
  const stop = context.wire.nativeStops.length;
  if (stop === undefined) return [];
  const announced = { text: "I will make two calls." };
  return [
    ...nothingMayRunAtCap(
      context,
      `${stop}-name-only`,
      `one call, only its name, under "${stop}" (length)`,
      (output) => renderNameOnly(context, { stop, output }),
    ),
    ...nothingMayRunAtCap(
      context,
      `${stop}-sibling-missing`,
      `the first of two calls, the second missing, under "${stop}" (length)`,
      (output) => renderReply(context, { blocks: [announced, context.calls[0]], stop, output }),
    ),
  ];
};

/** The stop reason of the cap, with a whole and with a cut input. */
const lengthStops: ScriptList = (context) => {
  const stop = context.wire.nativeStops.length;
  if (stop === undefined) return [];
  const name = `under "${stop}" (length)`;
  const cutText = threeQuarters(inputTextOf(context.calls[0]));
  return [
    ...nothingMayRunAtCap(context, stop, `one call ${name}`, (output) =>
      renderReply(context, { stop, output }),
    ),
    ...nothingMayRunAtCap(
      context,
      `${stop}-cut-input`,
      `one call, its input cut, ${name}`,
      (output) => renderWithText(context, cutText, { stop, output }),
    ),
    ...(context.wire.agent?.actsOnText ? [] : cutPlans(context)),
  ];
};

/** Every stop reason of the vendor after which nothing may run. */
export const nativeStops: ScriptList = joined(otherStops, lengthStops);

/** A reply that reached the cap, with the native stop reason of a finished one. */
export const reachedCap: ScriptList = (context) =>
  context.cap === undefined
    ? []
    : nothingMayRunAtCap(context, "used-up-cap", "one call that used up the cap", (output) =>
        renderReply(context, { output }),
      );

const underNativeStop =
  (id: string, stop: string, name = JSON.stringify(stop)): ScriptList =>
  (context) =>
    nothingMayRun(context, id, `one call under ${name}`, renderReply(context, { stop }));
/** Stop reasons that the vendor does not list: an invented one, and those that hosts send. */
export const unknownStops: ScriptList = (context) => [
  ...underNativeStop("unknown-stop", "x_never_heard_of")(context),
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
/** A stop reason without a word. */
export const emptyStop: ScriptList = underNativeStop("empty-stop", "");
