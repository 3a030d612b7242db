import { firstHalf, pageInReply } from "../framing/framing.ts";
import { framingOf } from "../framing/index.ts";
import { eventTypeOf } from "../framing/sse.ts";
import type { Rendered } from "../harness/bytes.ts";
import { insertFrame } from "../harness/mutate.ts";
import {
  type Interruption,
  nothingMayRun,
  renderReply,
  type ScriptContext,
  type ScriptedReply,
  type ScriptList,
} from "./script.ts";
import { joined, unlessEmpty } from "./text-inputs.ts";

type ChangeStream = (reply: ScriptedReply, context: ScriptContext) => ScriptedReply & Interruption;

/**
 * Replies of which nothing may run, for subjects that ask for streams: by the ids of scripts, how
 * each follows "one call" in its name, and what happens to its stream.
 */
const ofStreams = (
  table: Readonly<Record<string, readonly [name: string, change: ChangeStream]>>,
): ScriptList =>
  joined(
    ...Object.entries(table).map(([id, [name, change]]) =>
      nothingMayRun(id, `one call${name}`, (context) =>
        context.streams ? change(renderReply(context), context) : undefined,
      ),
    ),
  );

/** The number of the event with the native stop reason. */
const stopEvent = ({ wire }: ScriptContext, { frames }: ScriptedReply): number =>
  frames.upToTerminal.length - 1 - (wire.eventsAfterStop ?? 0);

/** Where a stream ends. `stopAt`: the number of the event with its stop reason. */
type Place = (rendered: Rendered, stopAt: number) => number;
const beforeStop: Place = ({ edges }, stopAt) => edges[stopAt] ?? 0;
const behindStop: Place = ({ edges }, stopAt) => edges[stopAt + 1] ?? 0;
const cutAt =
  (place: Place, fault?: Interruption["fault"]): ChangeStream =>
  (reply, context) => {
    const stopAt = stopEvent(context, reply);
    return { ...reply, length: (rendered) => place(rendered, stopAt), fault };
  };

/**
 * Streams that end before their stop reason is complete. A body of JSON that is cut cannot be
 * parsed, so every subject that asks for bodies would keep this.
 */
export const cutReplies: ScriptList = unlessEmpty(
  ofStreams({
    "cut-in-the-middle": [
      ", cut in the middle",
      cutAt(({ completeLength }) => Math.floor(completeLength / 2)),
    ],
    "cut-before-end": [", cut before the event with its stop reason", cutAt(beforeStop)],
    "cut-last-byte": [
      ", cut one byte before the end of the event with its stop reason",
      cutAt((rendered, stopAt) => behindStop(rendered, stopAt) - rendered.tailLength - 1),
    ],
  }),
  ({ streams }) =>
    streams
      ? undefined
      : "its requests do not stream: a body of JSON that is cut cannot be parsed, so nothing of it can run",
);

/** The native stop reason comes, and the protocol's own end, which is another event, does not. */
export const missingTerminals: ScriptList = unlessEmpty(
  ofStreams({
    "cut-before-terminal": [", cut behind its stop reason", cutAt(behindStop)],
    "reset-before-terminal": [", then a reset behind its stop reason", cutAt(behindStop, "reset")],
  }),
  ({ wire }) =>
    wire.eventsAfterStop
      ? undefined
      : "in this protocol no event follows the one with the native stop reason",
);

type ErrorPlace = (
  events: readonly string[],
  stopAt: number,
) => readonly [before: readonly string[], after: readonly string[]];
const withError =
  (place: ErrorPlace): ChangeStream =>
  (reply, context) => {
    const [before, after] = place(reply.frames.upToTerminal, stopEvent(context, reply));
    const errors = (context.wire.errors ?? []).slice(0, 1).map(({ frame }) => frame);
    return { frames: { upToTerminal: [...before, ...errors, ...after] } };
  };
const ifErrors =
  (list: ScriptList): ScriptList =>
  (context) =>
    context.wire.errors?.length ? list(context) : [];

/** An error inside the stream, before any stop reason. Nothing follows it. */
export const inBandErrors: ScriptList = ifErrors(
  ofStreams({
    "error-instead-of-end": [
      ", then an error in place of its end",
      withError((events, stopAt) => [events.slice(0, stopAt), []]),
    ],
  }),
);

const errorBehindStop: ScriptList = ifErrors(
  ofStreams({
    "error-behind-stop": [
      ", then an error behind its stop reason",
      withError((events) => [events.slice(0, -1), []]),
    ],
  }),
);
/** An error inside the stream, although its stop reason came, or the end of a complete reply follows. */
export const errorsBesideEnds: ScriptList = joined(
  ifErrors(
    ofStreams({
      "error-before-end": [
        ", then an error before the last event",
        withError((events) => [events.slice(0, -1), events.slice(-1)]),
      ],
    }),
  ),
  (context) => (context.wire.eventsAfterStop ? errorBehindStop(context) : []),
);

/** The connection breaks before the event with the stop reason. */
export const resets: ScriptList = ofStreams({
  reset: [", then a reset in place of its stop reason", cutAt(beforeStop, "reset")],
});

const hasNamedEvents = (
  { wire }: ScriptContext,
  { frames: { upToTerminal } }: ScriptedReply,
): boolean =>
  framingOf(wire).namesEvents ?? upToTerminal.some((payload) => eventTypeOf(payload) !== undefined);

/** An event that cannot be read. */
export const tornFrames: ScriptList = ofStreams({
  "torn-event": [
    ", an event of it torn",
    ({ frames }) => {
      const at = Math.floor((frames.upToTerminal.length - 1) / 2);
      const torn = frames.upToTerminal.with(at, firstHalf(frames.upToTerminal[at] ?? ""));
      return { frames: { ...frames, upToTerminal: torn } };
    },
  ],
});

/** An event whose data is a page, between those of a reply, all of which come. */
export const pagesInside: ScriptList = unlessEmpty(
  ofStreams({
    "page-inside": [
      " with one event more, whose data is a page",
      ({ frames }) => ({ frames: insertFrame(frames, 1, pageInReply) }),
    ],
  }),
  (context) =>
    hasNamedEvents(context, renderReply(context))
      ? "events of this protocol have names, and a client may ignore one without a name"
      : undefined,
);
