import { isFields } from "@fullstop/core/adapter";
import type {
  ElicitRequestParams,
  ElicitResult,
  InputRequiredResult,
} from "@modelcontextprotocol/client";
import { answerProblem, checkedAnswer } from "./elicit.ts";
import type { McpOptions } from "./options.ts";
import type { ServerTool } from "./server-tool.ts";

/** What the server wants before it goes on, by the keys that it chose. */
export type Requests = NonNullable<InputRequiredResult["inputRequests"]>;
/** The answers, by the same keys. */
export type Responses = Readonly<Record<string, ElicitResult>>;

export interface Answered {
  readonly responses: Responses;
  readonly open: Requests;
}

interface AskContext {
  readonly signal: AbortSignal;
  readonly options: McpOptions;
}

/** @throws Error for a request that this client does not offer. */
export async function answerRequests(
  requests: Requests,
  from: ServerTool,
  context: AskContext,
): Promise<Answered> {
  // A server chooses the keys, so they are never assigned to: one may be `__proto__`.
  const responses: [string, ElicitResult][] = [];
  const open: [string, Requests[string]][] = [];
  for (const [key, request] of Object.entries(requests)) {
    const response = await answerRequest(request, from, context);
    if (response === undefined) open.push([key, request]);
    else responses.push([key, response]);
  }
  return { responses: Object.fromEntries(responses), open: Object.fromEntries(open) };
}

async function answerRequest(
  request: Requests[string],
  { server, tool }: ServerTool,
  { signal, options }: AskContext,
): Promise<ElicitResult | undefined> {
  if (request.method !== "elicitation/create")
    throw new Error(
      `The server "${server}" wants "${request.method}", which this client did not offer.`,
    );
  const params = request.params as ElicitRequestParams;
  const answer = await options.elicit?.({ server, tool, params }, { signal });
  return answer && checkedAnswer(answer, params);
}

/** What a person sees in `ReviewedCall.question`. Plain JSON. */
export interface McpQuestion {
  readonly server: string;
  readonly tool: string;
  /**
   * What the server asks, by keys that it chose. The answer, in `waiting.inputs`, is an object with
   * the same keys; each value is `{ action: "accept" | "decline" | "cancel", content? }`.
   */
  readonly requests: Requests;
  /** Why an earlier answer could not be used. */
  readonly problem?: string;
}

/** What is wrong with the answer of a person; undefined if nothing is. */
export async function givenProblem(given: unknown, open: Requests): Promise<string | undefined> {
  if (!isFields(given))
    return `the answer must be an object with the keys ${Object.keys(open).join(", ")}.`;
  for (const [key, request] of Object.entries(open)) {
    const problem = await answerProblem(given[key], request.params as ElicitRequestParams);
    if (problem !== undefined) return `the answer to "${key}" cannot be used: ${problem}`;
  }
  return undefined;
}
