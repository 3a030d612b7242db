import type { Answer, Received, RequestHandler } from "./harness/host.ts";
import { completeReplies } from "./loop/complete-scripts.ts";
import { createReplyIds } from "./loop/reply-ids.ts";
import { finalReply, renderAnswer } from "./loop/script.ts";
import type { ReplyCall, Wire } from "./wire.ts";

export { describeCall } from "./harness/check.ts";
export { tryParseJson } from "./harness/json.ts";
export { createReplyIds } from "./loop/reply-ids.ts";
export {
  type Interruption,
  renderAnswer,
  requestedCap,
  type ScriptedReply,
  withOtherInput,
} from "./loop/script.ts";
export type { Effects, ObservedRun, Runner } from "./subject.ts";
export { forTextAgents, type WireForAgents } from "./wires/text-agent.ts";

/** The model's last answer: it has finished and calls no tool. */
export const finalAnswer = (wire: Wire, request: Received): Answer =>
  renderAnswer(wire, request, finalReply(wire));

/** The answers of a model that makes the first call completely and then finishes. */
export function answersWithOneCall(
  wire: Wire,
  calls: readonly [ReplyCall, ReplyCall],
): RequestHandler {
  const [script] = completeReplies({ wire, calls, streams: true, cap: undefined });
  const giveOwnIds = createReplyIds(wire);
  return async (request, index) =>
    giveOwnIds((await script?.steps[index]?.(request, index)) ?? finalAnswer(wire, request));
}
