import type { Answer, Received } from "../harness/host.ts";
import { tryParseJson } from "../harness/json.ts";
import type { JoinedRequest, KeptTurn } from "../held.ts";
import type { Wire } from "../wire.ts";
import { readEvents } from "./reply-ids.ts";

/** A request, and its answer. */
interface Answered {
  readonly request: Received;
  readonly answer: Answer;
}

/** The requests of a run, as the provider reads them: with the histories that they refer to. */
export function joinConversations(
  { agent }: Wire,
  exchanges: readonly Answered[],
): readonly JoinedRequest[] {
  const earlier: KeptTurn[] = [];
  return exchanges.map(({ request, answer }) => {
    const body = tryParseJson(request.body);
    const joined = agent?.held?.join(body, earlier) ?? { possible: [body], refusals: [] };
    const reply = (answer.status ?? 200) < 300 ? agent?.held?.keep(readEvents(answer)) : undefined;
    if (reply !== undefined) earlier.push({ body, reply });
    return joined;
  });
}

/** The request with the history that the provider may keep. */
export const withHistory = (
  request: Received,
  joined: Pick<JoinedRequest, "possible"> | undefined,
): Received =>
  joined === undefined ? request : { ...request, body: JSON.stringify(joined.possible[0]) };

/**
 * Whether something holds of the request, however much the provider keeps. `undefined` if it
 * depends on that.
 */
export function holdsOf(
  { possible }: JoinedRequest,
  holds: (body: unknown) => boolean,
): boolean | undefined {
  const answers = new Set(possible.map(holds));
  return answers.size === 1 ? answers.has(true) : undefined;
}
