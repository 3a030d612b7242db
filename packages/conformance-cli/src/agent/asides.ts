import type { Answer, Received } from "@fullstop/conformance";
import { createReplyIds, finalAnswer, type WireForAgents } from "@fullstop/conformance/runner";

/** In the ids of all replies to requests that are not judged. */
const label = "aside";

/** The requests of a run that are not judged: a title, a summary, a conversation in the background. */
export interface Asides {
  answer(wire: WireForAgents, request: Received): Answer;
  /** Whether a request goes on from a reply to one of them. */
  includes(wire: WireForAgents, body: unknown): boolean;
}

/** Answers them with replies whose ids no judged reply has. */
export function createAsides(): Asides {
  const idsOf = new Map<WireForAgents, ReturnType<typeof createReplyIds>>();
  return {
    answer: (wire, request) => {
      const giveIds = idsOf.get(wire) ?? createReplyIds(wire, label);
      idsOf.set(wire, giveIds);
      return giveIds(finalAnswer(wire, request));
    },
    includes: ({ agent }, body) => agent.held?.previousReply(body)?.includes(`_${label}_`) === true,
  };
}
