import type { ClaimedStop } from "@fullstop/core/adapter";
import {
  inputTextOf,
  nothingMayRun,
  nothingMayRunAtCap,
  renderReply,
  renderWithText,
  type ScriptList,
  threeQuarters,
} from "./script.ts";

/** Stop reasons under which calls run, or which other scripts try. */
const triedElsewhere: readonly string[] = [
  "stop",
  "tool-use",
  "unknown",
  "length",
] satisfies ClaimedStop[];
/** Stop reasons after which nothing may run, but for the cap. */
export const otherStops: ScriptList = (context) =>
  Object.entries(context.wire.nativeStops).flatMap(([reason, stop]) =>
    triedElsewhere.includes(reason)
      ? []
      : nothingMayRun(
          context,
          { id: stop, name: `one call under "${stop}" (${reason})` },
          renderReply(context, { stop }),
        ),
  );

/** The stop reason of the cap, with a whole and with a cut input. */
export const lengthStops: ScriptList = (context) => {
  const stop = context.wire.nativeStops.length;
  if (stop === undefined) return [];
  const name = `under "${stop}" (length)`;
  const cutText = threeQuarters(inputTextOf(context.calls[0]));
  return [
    ...nothingMayRunAtCap(context, { id: stop, name: `one call ${name}` }, (output) =>
      renderReply(context, { stop, output }),
    ),
    ...nothingMayRunAtCap(
      context,
      { id: `${stop}-cut-input`, name: `one call, its input cut, ${name}` },
      (output) => renderWithText(context, cutText, { stop, output }),
    ),
  ];
};

/** A reply that reached the cap, with the native stop reason of a finished one. */
export const reachedCap: ScriptList = (context) =>
  context.cap === undefined
    ? []
    : nothingMayRunAtCap(
        context,
        { id: "used-up-cap", name: "one call that used up the cap" },
        (output) => renderReply(context, { output }),
      );

const underNativeStop =
  (id: string, stop: string): ScriptList =>
  (context) =>
    nothingMayRun(
      context,
      { id, name: `one call under ${JSON.stringify(stop)}` },
      renderReply(context, { stop }),
    );
/** A stop reason that the vendor does not list. */
export const unknownStop: ScriptList = underNativeStop("unknown-stop", "x_never_heard_of");
/** A stop reason without a word. */
export const emptyStop: ScriptList = underNativeStop("empty-stop", "");
