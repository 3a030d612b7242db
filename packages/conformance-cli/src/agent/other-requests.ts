import type { Answer, Opening, Received } from "@fullstop/conformance";
import {
  createReplyIds,
  finalAnswer,
  jsonAnswer,
  notFound,
  type WireForAgents,
} from "@fullstop/conformance/runner";

export const describeRequest = ({ method, path }: Received): string => `${method} ${path}`;

export const answerNotFound = (request: Received): Answer =>
  notFound(`This server only plays a model. It has no ${describeRequest(request)}.`);

const modelsPath = /\/models(?:\/(?<name>.+))?$/;

/** Answers a request for models in the vendor's form. `undefined` if it is another request. */
export function answerModels(
  wires: readonly WireForAgents[],
  request: Received,
): Answer | undefined {
  const asked = request.method === "GET" ? modelsPath.exec(request.path) : null;
  if (asked === null) return undefined;
  const known = wires.flatMap(({ agent }) => agent.models ?? []);
  const models = known.find((one) => one.isAsked(request)) ?? known[0];
  const name = asked.groups?.["name"];
  if (models === undefined) return undefined;
  const found = name === undefined ? models.list() : models.one(decodeURIComponent(name));
  return jsonAnswer(JSON.stringify(found));
}

/** What identifies the conversation of a request. */
type Identity = ReturnType<typeof readIdentity>;
/** Whether a request belongs to the conversation that is judged, and not to one beside it. */
type IsJudged = (wire: WireForAgents, body: unknown, text: string) => boolean;

/**
 * How much of the instructions is compared. A date or a reminder may change what follows; another
 * agent begins with other words.
 */
const comparedChars = 60;
/** In the ids of all calls that the model makes. */
const callIds = "call_canary_";

const beginningOf = ({ opening }: Identity): string => opening.system.slice(0, comparedChars);
function readIdentity({ agent }: WireForAgents, body: unknown) {
  const opening: Opening = agent.opening?.(body) ?? { system: "", firstMessage: "" };
  const tools = agent.tools(body).map(({ name }) => name);
  return { opening, tools: tools.toSorted().join() };
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

/** The first request that is asked about begins the conversation. */
export function createJudgedConversation(): IsJudged {
  let first: Identity | undefined;
  return (wire, body, text) => {
    const next = readIdentity(wire, body);
    first ??= next;
    return first === next || goesOn(first, next, text);
  };
}

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
