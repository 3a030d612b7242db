import type { ClaimedStop } from "@fullstop/core/adapter";
import type { Answer, Received, RequestHandler } from "./harness/host.ts";
import { createReplyIds } from "./loop/conversation.ts";
import { finalReply, renderAnswer } from "./loop/script.ts";
import { completeReplies } from "./loop/stop-scripts.ts";
import type { AgentWire, Reply, ReplyCall, Wire } from "./wire.ts";

/** Stop reasons that say nothing about the text of a reply, or that only replies with calls have. */
const withoutText: ReadonlySet<string> = new Set([
  "tool-use",
  "pause",
  "malformed-tool-call",
] satisfies ClaimedStop[]);

/** Writes calls as texts. */
const toTexts = (reply: Reply): Reply => ({
  ...reply,
  blocks: reply.blocks.map((block) =>
    "name" in block ? { text: block.inputText ?? JSON.stringify(block.input) } : block,
  ),
});

/** A wire that describes how agents speak its protocol. */
export type WireForAgents = Wire & { readonly agent: AgentWire };

/**
 * The wire for an agent that offers no tools and runs the text of a reply: the input of each call
 * is sent as text, with the native stop reason of a text.
 */
export function forTextAgents(wire: WireForAgents): WireForAgents {
  const { whole } = wire;
  const nativeStops = Object.fromEntries(
    Object.entries(wire.nativeStops).filter(([reason]) => !withoutText.has(reason)),
  );
  return {
    ...wire,
    nativeStops,
    frames: (reply) => wire.frames(toTexts(reply)),
    ...(whole !== undefined && { whole: (reply: Reply) => whole(toTexts(reply)) }),
    agent: { ...wire.agent, tools: () => [], results: () => [], actsOnText: true },
  };
}

export { jsonAnswer, notFound } from "./harness/bytes.ts";
export { describeCall } from "./harness/check.ts";
export { tryParseJson } from "./harness/json.ts";
export { createReplyIds } from "./loop/conversation.ts";
export {
  type Interruption,
  renderAnswer,
  requestedCap,
  type ScriptedReply,
  withOtherInput,
} from "./loop/script.ts";
export type { Effects, ObservedRun, Runner } from "./subject.ts";

/** The model's last answer: it has finished and calls no tool. */
export const finalAnswer = (wire: Wire, request: Received): Answer =>
  renderAnswer(wire, request, finalReply(wire));

/** The answers of a model that makes the first call completely and then finishes. */
export function answersWithOneCall(
  wire: Wire,
  calls: readonly [ReplyCall, ReplyCall, ReplyCall],
): RequestHandler {
  const [script] = completeReplies({ wire, calls, streams: true, cap: undefined });
  const giveOwnIds = createReplyIds(wire);
  return async (request, index) =>
    giveOwnIds((await script?.steps[index]?.(request, index)) ?? finalAnswer(wire, request));
}
