import { joinBytes } from "../framing/framing.ts";
import { type Framed, framingOf } from "../framing/index.ts";
import { type Answer, jsonBody, type Received } from "../harness/host.ts";
import { isObject, nestedValues, tryParseJson } from "../harness/json.ts";
import type { JoinedRequest, KeptTurn } from "../held.ts";
import type { ReplyCall, Violation, Wire } from "../wire.ts";
import { inputTextOf } from "./script.ts";

/** The events of a stream, or the one body. An event that cannot be read is `undefined`. */
export function readEvents(wire: Framed, { chunks }: Pick<Answer, "chunks">): readonly unknown[] {
  const bytes = joinBytes([...chunks]);
  const body = tryParseJson(new TextDecoder().decode(bytes));
  return body === undefined ? framingOf(wire).read(bytes).events.map(tryParseJson) : [body];
}

/**
 * Gives each reply of a run ids of its own, because a program can name an earlier reply by its id,
 * and some programs take two messages with one id for one message. The first reply keeps its ids,
 * unless there is a label: then the label is in all ids.
 */
export function createReplyIds(wire: Wire, label?: string): (answer: Answer) => Answer {
  const { agent } = wire;
  let replies = 0;
  return (answer) => {
    replies++;
    const { replyIds } = agent ?? {};
    if (replyIds === undefined || (replies === 1 && label === undefined)) return answer;
    const suffix = label === undefined ? `_${replies}` : `_${label}_${replies}`;
    const ids = new Set(readEvents(wire, answer).flatMap((event) => replyIds(event)));
    const rename = (text: string): string =>
      [...ids].reduce((renamed, id) => renamed.replaceAll(`"${id}"`, `"${id}${suffix}"`), text);
    const isBody = answer.headers?.["content-type"] === jsonBody["content-type"];
    const { rewrite } = framingOf(isBody ? {} : wire);
    return { ...answer, chunks: [...answer.chunks].map((chunk) => rewrite(chunk, rename)) };
  };
}

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

/** Whether something holds of the request. `undefined` if it depends on what is kept. */
export function holdsOf(
  { possible }: SeenRequest,
  holds: (body: unknown) => boolean,
): boolean | undefined {
  const answers = new Set(possible.map(holds));
  return answers.size === 1 ? answers.has(true) : undefined;
}

/** Whether a request holds a call that did not run, without a result beside it that says so. */
export function holdsOpenCall({ agent }: Wire, body: unknown, call: ReplyCall): boolean {
  const isAnswered = agent
    ?.results(body)
    .some((result) => result.call === call.name || result.call.startsWith(call.id));
  return holdsCall(body, call) && !isAnswered;
}

/** Whether it is the id of the call, or of the same call in the reply to a retry. */
const isIdOf = ({ id }: ReplyCall, text: string): boolean =>
  text === id || text.startsWith(`${id}_`);

/** Whether a request holds a call or its beginning: its id, or its input as text or as JSON. */
function holdsCall(body: unknown, call: ReplyCall): boolean {
  const { input } = call;
  const beginning = inputTextOf(call).slice(0, 20);
  const [[key, value] = []] = Object.entries(input);
  for (const part of nestedValues(body)) {
    if (typeof part === "string" && (isIdOf(call, part) || part.startsWith(beginning))) return true;
    if (key !== undefined && isObject(part) && part[key] === value) return true;
  }
  return false;
}

/** What a request breaks in each of the forms in which the provider may read it. */
export function findViolations(
  { request, possible, refusals }: SeenRequest,
  wire: Wire,
): readonly (readonly Violation[])[] {
  if (refusals.length === 0) return possible.map((body) => wire.violations(body, request));
  const part = tryParseJson(request.body);
  return [refusals.map((message) => ({ message, part }))];
}

/** Whether the vendor refuses a request because of how it holds one of the calls. */
export const isRefusedForCall = (
  seen: SeenRequest,
  wire: Wire,
  calls: readonly ReplyCall[],
): boolean =>
  findViolations(seen, wire).every((violations) =>
    violations.some(
      ({ level = "must", part }) => level === "must" && calls.some((call) => holdsCall(part, call)),
    ),
  );
