import type { Answer, Received } from "../harness/host.ts";
import { tryParseJson } from "../harness/json.ts";
import type { JoinedRequest, KeptTurn } from "../held.ts";
import type { Wire } from "../wire.ts";
import { readEvents } from "./reply-ids.ts";

interface Answered {
  readonly request: Received;
  readonly answer: Answer;
}

/** A request of a run, as it was sent and as the provider reads it. */
export interface SeenRequest extends JoinedRequest {
  readonly request: Received;
}

/** The requests of a run, with the histories that they refer to. */
export function joinConversations(
  wire: Wire,
  exchanges: readonly Answered[],
): readonly SeenRequest[] {
  const { agent } = wire;
  const earlier: KeptTurn[] = [];
  return exchanges.map(({ request, answer }) => {
    const body = tryParseJson(request.body);
    const joined = agent?.held?.join(body, earlier) ?? { possible: [body], refusals: [] };
    const reply =
      (answer.status ?? 200) < 300 ? agent?.held?.keep(readEvents(wire, answer)) : undefined;
    if (reply !== undefined) earlier.push({ body, reply });
    return { ...joined, request };
  });
}

/** The request with the history that the provider may keep. */
export const withHistory = ({ request, possible }: SeenRequest): Received => ({
  ...request,
  body: JSON.stringify(possible[0]),
});

/**
 * Whether something holds of the request, however much the provider keeps. `undefined` if it
 * depends on that.
 */
export function holdsOf(
  { possible }: SeenRequest,
  holds: (body: unknown) => boolean,
): boolean | undefined {
  const answers = new Set(possible.map(holds));
  return answers.size === 1 ? answers.has(true) : undefined;
}
