import type { Rendered } from "../harness/bytes.ts";
import { insertFrame } from "../harness/mutate.ts";
import {
  nothingMayRun,
  nothingMayRunOfStream,
  renderReply,
  type Script,
  type ScriptedReply,
  type ScriptList,
} from "./script.ts";

/** Replies that end before their terminal is complete. */
export const cutReplies: ScriptList = (context) => {
  const cutAt = (
    id: string,
    place: string,
    length: (rendered: Rendered) => number,
  ): readonly Script[] =>
    nothingMayRun(
      context,
      { id, name: `one call, cut ${place}` },
      { ...renderReply(context), length },
    );
  const last = renderReply(context).frames.upToTerminal.length - 1;
  return [
    ...cutAt("cut-in-the-middle", "in the middle", ({ completeLength }) =>
      Math.floor(completeLength / 2),
    ),
    ...(context.streams
      ? cutAt("cut-before-end", "before the last event", ({ edges }) => edges[last] ?? 0)
      : []),
    ...cutAt(
      "cut-last-byte",
      "one byte before its end",
      ({ completeLength }) => completeLength - 1,
    ),
  ];
};

/** An error inside the stream, after the call. */
export const inBandErrors: ScriptList = (context) => {
  const error = context.wire.errors?.[0]?.frame;
  if (error === undefined) return [];
  const withError = (
    { frames: { upToTerminal } }: ScriptedReply,
    after: readonly string[],
  ): ScriptedReply => ({
    frames: { upToTerminal: [...upToTerminal.slice(0, -1), error, ...after] },
  });
  return [
    ...nothingMayRunOfStream(
      context,
      {
        id: "error-instead-of-end",
        name: "one call, then an error in place of the last event",
      },
      (reply) => withError(reply, []),
    ),
    ...nothingMayRunOfStream(
      context,
      { id: "error-before-end", name: "one call, then an error before the last event" },
      (reply) => withError(reply, reply.frames.upToTerminal.slice(-1)),
    ),
  ];
};
/** The connection breaks before the last event. */
export const resets: ScriptList = (context) =>
  nothingMayRunOfStream(
    context,
    { id: "reset", name: "one call, then a reset in place of the last event" },
    (reply) => ({
      ...reply,
      length: ({ edges }) => edges[reply.frames.upToTerminal.length - 1] ?? 0,
      fault: "reset",
    }),
  );
/** An event that cannot be read. */
export const tornFrames: ScriptList = (context) => {
  const tear = ({ frames }: ScriptedReply): ScriptedReply => {
    const at = Math.floor((frames.upToTerminal.length - 1) / 2);
    const payload = frames.upToTerminal[at] ?? "";
    const half = payload.slice(0, Math.ceil(payload.length / 2));
    return { frames: { ...frames, upToTerminal: frames.upToTerminal.with(at, half) } };
  };
  const insertPage = ({ frames }: ScriptedReply): ScriptedReply => ({
    frames: insertFrame(frames, 1, "<html>Bad gateway</html>"),
  });
  return [
    ...nothingMayRunOfStream(
      context,
      { id: "torn-event", name: "one call, an event of it torn" },
      tear,
    ),
    ...nothingMayRunOfStream(
      context,
      { id: "page-inside", name: "one call with a page inside" },
      insertPage,
    ),
  ];
};
