import type { OfferedTool, Opening } from "@fullstop/conformance";
import type { WireForAgents } from "@fullstop/conformance/runner";

/** What identifies the conversation of a request. */
interface Identity {
  readonly opening: Opening;
  /** The names of its tools, sorted. */
  readonly tools: string;
}
/** Tells the conversation that is judged from those that a program has beside it. */
export interface JudgedConversation {
  /** Whether a request belongs to it. The first request that is asked about begins it. */
  includes(wire: WireForAgents, body: unknown, text: string): boolean;
}

/**
 * How much of the instructions is compared. A date or a reminder may change what follows; another
 * agent begins with other words.
 */
const comparedChars = 60;
/** In the ids of all calls that the model makes. */
const callIds = "call_canary_";

const beginningOf = ({ opening }: Identity): string => opening.system.slice(0, comparedChars);
const namesOf = (tools: readonly OfferedTool[]): string =>
  tools
    .map(({ name }) => name)
    .toSorted()
    .join();

function readIdentity({ agent }: WireForAgents, body: unknown): Identity {
  const opening = agent.opening?.(body) ?? { system: "", firstMessage: "" };
  return { opening, tools: namesOf(agent.tools(body)) };
}

/**
 * A conversation goes on with the same first message or with a call that the model made in it, if
 * its instructions or its tools stay the same. If its history was replaced, both must be the same.
 * A request without a first message adds to a history that the provider keeps.
 */
function goesOn(first: Identity, next: Identity, text: string): boolean {
  const { firstMessage } = next.opening;
  if (firstMessage === "") return true;
  const sameAgent = beginningOf(first) === beginningOf(next);
  const sameTools = first.tools === next.tools;
  const sameHistory = firstMessage === first.opening.firstMessage || text.includes(callIds);
  return sameHistory ? sameAgent || sameTools : sameAgent && sameTools;
}

/** Begins with the first request. */
export function createJudgedConversation(): JudgedConversation {
  let first: Identity | undefined;
  return {
    includes: (wire, body, text) => {
      const next = readIdentity(wire, body);
      first ??= next;
      return first === next || goesOn(first, next, text);
    },
  };
}
