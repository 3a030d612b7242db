import { firstHalf, pageInReply } from "../framing/framing.ts";
import { framingOf } from "../framing/index.ts";
import { eventTypeOf } from "../framing/sse.ts";
import type { Rendered } from "../harness/bytes.ts";
import { insertFrame } from "../harness/mutate.ts";
import {
  type Interruption,
  nothingMayRun,
  nothingMayRunOfStream,
  renderReply,
  type ScriptContext,
  type ScriptedReply,
  type ScriptList,
} from "./script.ts";
import { joined, unlessEmpty } from "./text-inputs.ts";

/** The number of the event with the native stop reason. */
const stopEvent = ({ wire }: ScriptContext, { frames }: ScriptedReply): number =>
  frames.upToTerminal.length - 1 - (wire.eventsAfterStop ?? 0);

/** Where a stream is cut, by the ids of scripts. `at`: the number of the event with its stop reason. */
const cutPlaces: Readonly<
  Record<string, readonly [place: string, length: (rendered: Rendered, at: number) => number]>
> = {
  "cut-in-the-middle": ["in the middle", ({ completeLength }) => Math.floor(completeLength / 2)],
  "cut-before-end": ["before the event with its stop reason", ({ edges }, at) => edges[at] ?? 0],
  "cut-last-byte": [
    "one byte before the end of the event with its stop reason",
    ({ edges, tailLength }, at) => (edges[at + 1] ?? 0) - tailLength - 1,
  ],
};

const cutsOfStreams: ScriptList = joined(
  ...Object.entries(cutPlaces).map(([id, [place, lengthOf]]) =>
    nothingMayRun(id, `one call, cut ${place}`, (context) => {
      const reply = renderReply(context);
      const at = stopEvent(context, reply);
      return { ...reply, length: (rendered) => lengthOf(rendered, at) };
    }),
  ),
);

/**
 * Streams that end before their stop reason is complete. A body of JSON that is cut cannot be
 * parsed, so every subject that asks for bodies would keep this.
 */
export const cutReplies: ScriptList = unlessEmpty(cutsOfStreams, ({ streams }) =>
  streams
    ? undefined
    : "its requests do not stream: a body of JSON that is cut cannot be parsed, so nothing of it can run",
);

/** The reply up to the event with its stop reason, or with it. */
const cutAtStop = (
  reply: ScriptedReply,
  context: ScriptContext,
  more: 0 | 1,
): ScriptedReply & Interruption => ({
  ...reply,
  length: ({ edges }) => edges[stopEvent(context, reply) + more] ?? 0,
});

/** The native stop reason comes, and the protocol's own end does not. */
const cutsBehindStop: ScriptList = joined(
  nothingMayRunOfStream(
    "cut-before-terminal",
    "one call, cut behind its stop reason",
    (reply, context) => cutAtStop(reply, context, 1),
  ),
  nothingMayRunOfStream(
    "reset-before-terminal",
    "one call, then a reset behind its stop reason",
    (reply, context) => ({ ...cutAtStop(reply, context, 1), fault: "reset" }),
  ),
);

/** The same, for protocols in which an event follows the one with the stop reason. */
export const missingTerminals: ScriptList = unlessEmpty(cutsBehindStop, ({ wire }) =>
  wire.eventsAfterStop
    ? undefined
    : "in this protocol no event follows the one with the native stop reason",
);

/** An error inside the stream, after the call. `after` gives the events that follow it. */
const errorInStream = (
  id: string,
  name: string,
  after: (last: readonly string[]) => readonly string[],
): ScriptList => {
  const script = nothingMayRunOfStream(id, name, ({ frames: { upToTerminal } }, { wire }) => {
    const errors = (wire.errors ?? []).slice(0, 1).map(({ frame }) => frame);
    const last = upToTerminal.slice(-1);
    return { frames: { upToTerminal: [...upToTerminal.slice(0, -1), ...errors, ...after(last)] } };
  });
  return (context) => (context.wire.errors?.length ? script(context) : []);
};

/** An error inside the stream. Nothing follows it. */
export const inBandErrors: ScriptList = errorInStream(
  "error-instead-of-end",
  "one call, then an error in place of the last event",
  () => [],
);

/** An error inside the stream, and then the end of a complete reply. */
export const errorsBeforeEnds: ScriptList = errorInStream(
  "error-before-end",
  "one call, then an error before the last event",
  (last) => last,
);
/** The connection breaks before the event with the stop reason. */
export const resets: ScriptList = nothingMayRunOfStream(
  "reset",
  "one call, then a reset in place of its stop reason",
  (reply, context) => ({ ...cutAtStop(reply, context, 0), fault: "reset" }),
);

const hasNamedEvents = (
  { wire }: ScriptContext,
  { frames: { upToTerminal } }: ScriptedReply,
): boolean =>
  framingOf(wire).namesEvents ?? upToTerminal.some((payload) => eventTypeOf(payload) !== undefined);

/** An event that cannot be read. */
export const tornFrames: ScriptList = nothingMayRunOfStream(
  "torn-event",
  "one call, an event of it torn",
  ({ frames }) => {
    const at = Math.floor((frames.upToTerminal.length - 1) / 2);
    const torn = frames.upToTerminal.with(at, firstHalf(frames.upToTerminal[at] ?? ""));
    return { frames: { ...frames, upToTerminal: torn } };
  },
);

/** A page between the events of a reply, all of which come. */
export const pagesInside: ScriptList = unlessEmpty(
  nothingMayRunOfStream("page-inside", "one call with a page inside", ({ frames }) => ({
    frames: insertFrame(frames, 1, pageInReply),
  })),
  (context) =>
    hasNamedEvents(context, renderReply(context))
      ? "events of this protocol have names, and a client may ignore one without a name"
      : undefined,
);
