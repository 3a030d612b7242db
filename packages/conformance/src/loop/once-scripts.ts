import { repliesBehindACall } from "../harness/second-reply.ts";
import type { Frames, ReplyCall } from "../wire.ts";
import {
  renderAnswer,
  renderReply,
  type Script,
  type ScriptContext,
  type ScriptList,
  type ScriptNames,
} from "./script.ts";
import { onlyForCalls, unlessEmpty } from "./text-inputs.ts";

/** A script whose first reply has these frames, and makes these calls. */
const answeredOnce = (
  { wire }: ScriptContext,
  names: ScriptNames,
  sent: { readonly frames: Frames; readonly calls: readonly ReplyCall[] },
): Script => ({
  ...names,
  steps: [(request) => renderAnswer(wire, request, { frames: sent.frames })],
  expectedCalls: sent.calls,
});

const whyNoStream = ({ streams }: ScriptContext): string | undefined =>
  streams
    ? undefined
    : "its requests do not stream, and a body has one reply with one list of calls";

/** A call that the host says a second time, under another id or without one. */
export const repeatedCalls: ScriptList = onlyForCalls(
  unlessEmpty(
    (context) =>
      (context.wire.repetitions ?? []).map(({ id, how, repeat }) =>
        answeredOnce(
          context,
          { id, name: `one call ${how}` },
          { frames: repeat(renderReply(context).frames), calls: context.calls.slice(0, 1) },
        ),
      ),
    (context) =>
      whyNoStream(context) ??
      (context.wire.repetitions === undefined
        ? "no host is known that says a call of this protocol a second time, without its id"
        : undefined),
  ),
);

/** A call of a reply that was cut, and behind it in the same body another reply. */
export const secondReplies: ScriptList = onlyForCalls(
  unlessEmpty(
    (context) =>
      repliesBehindACall(context.wire, context.calls).map(({ id, at, frames, calls }) =>
        answeredOnce(context, { id, name: at }, { frames, calls }),
      ),
    whyNoStream,
  ),
);
