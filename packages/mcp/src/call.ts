import { sleep } from "@fullstop/core/adapter";
import { needsInput, type ToolContext, type ToolOutput } from "@fullstop/loop";
import {
  type CallToolResult,
  type Client,
  isInputRequiredResult,
  type Progress,
  SdkHttpError,
} from "@modelcontextprotocol/client";
import type { Connection } from "./connection.ts";
import { declineOf, failureOf, requiredUrls } from "./failure.ts";
import {
  answerRequests,
  givenProblem,
  type McpQuestion,
  type Requests,
  type Responses,
} from "./input-requests.ts";
import type { McpOptions } from "./options.ts";
import { toToolResult } from "./result.ts";
import type { ListedTool } from "./server-tool.ts";

export interface Caller {
  readonly connection: Connection;
  readonly options: McpOptions;
  readonly timeoutMs: number;
  readonly totalTimeoutMs: number;
}

/** Between two rounds in which a server asks for nothing but patience. */
const pacingMs = 250;
const defaultRounds = 10;

/** What the next request of a call adds to the first. Plain JSON: it is stored while the run waits. */
interface Round {
  /** Of the server, unread. */
  readonly requestState?: string | undefined;
  readonly inputResponses?: Responses | undefined;
  /** Requests of this call that were answered. */
  readonly round: number;
}
/** What a call stores while it waits for a person. */
interface Pending extends Round {
  readonly open: Requests;
  readonly revision: string;
  /** The question was an error of the protocol: its answers decide, and are not sent. */
  readonly byError?: true;
}
interface Asked {
  readonly requestState?: string | undefined;
  readonly inputRequests?: Requests | undefined;
  readonly byError?: true;
}
type Answer =
  | { readonly result: CallToolResult; readonly asked?: undefined }
  | { readonly result?: undefined; readonly asked: Asked };

interface ServerCall extends Caller {
  readonly tool: ListedTool;
  readonly input: Readonly<Record<string, unknown>>;
  readonly context: ToolContext;
  readonly onProgress: (progress: Progress) => void;
}

export async function callServer(call: ServerCall): Promise<ToolOutput> {
  const { tool, context, options } = call;
  const { maxRounds = defaultRounds } = options;
  const resumed = await resume(call);
  if ("question" in resumed) return needsInput(resumed.question, resumed.pending);
  let next: Round = resumed;
  for (;;) {
    const { result, asked } = await send(call, next);
    if (asked === undefined) return toToolResult(result, tool);
    const { inputRequests = {}, byError } = asked;
    const round = next.round + 1;
    if (round > maxRounds)
      throw new Error(
        `The server "${tool.server}" asked ${maxRounds} times and did not finish. \`maxRounds\` is the limit.`,
      );
    const { responses, open } = await answerRequests(inputRequests, tool, {
      signal: context.signal,
      options,
    });
    next = nextRound({ ...next, round }, asked, responses);
    if (Object.keys(open).length > 0) {
      const pending: Pending = {
        ...next,
        open,
        revision: tool.revision,
        ...(byError && { byError }),
      };
      return needsInput(questionOf(call, open), pending);
    }
    if (Object.keys(inputRequests).length === 0) await sleep(pacingMs, context.signal);
  }
}

/** After an error of the protocol the same request is sent. @throws Error if a person declined. */
function nextRound(
  repeated: Round,
  { requestState, inputRequests = {}, byError }: Asked,
  responses: Responses,
): Round {
  const { round } = repeated;
  if (byError) {
    assertAccepted(responses);
    return repeated;
  }
  const inputResponses = Object.keys(inputRequests).length > 0 ? responses : undefined;
  return { requestState, inputResponses, round };
}

function assertAccepted(responses: Responses): void {
  const decline = declineOf(responses);
  if (decline !== undefined) throw new Error(decline);
}

const questionOf = ({ tool }: ServerCall, requests: Requests, problem?: string): McpQuestion => ({
  server: tool.server,
  tool: tool.tool,
  requests,
  ...(problem !== undefined && { problem }),
});

/** The next round after a person answered. An answer that cannot be used is requested again. */
async function resume(
  call: ServerCall,
): Promise<Round | { readonly question: McpQuestion; readonly pending: Pending }> {
  const { given } = call.context;
  if (given === undefined) return { round: 0 };
  const pending = given.state as Pending;
  if (pending.revision !== call.tool.revision)
    throw new Error(
      `The server changed its tool "${call.tool.tool}" while the call waited for an answer, so the answer was not sent. Call it again.`,
    );
  const problem = await givenProblem(given.input, pending.open);
  if (problem !== undefined) return { question: questionOf(call, pending.open, problem), pending };
  const { requestState, inputResponses, round, open, byError } = pending;
  const answers = Object.entries(given.input as Responses).filter(([key]) =>
    Object.hasOwn(open, key),
  );
  if (byError) {
    assertAccepted(Object.fromEntries(answers));
    return { requestState, inputResponses, round };
  }
  const all = [...Object.entries(inputResponses ?? {}), ...answers];
  return { requestState, inputResponses: Object.fromEntries(all), round };
}

async function send(call: ServerCall, { requestState, inputResponses }: Round): Promise<Answer> {
  const { connection, tool, input, context, onProgress } = call;
  try {
    const client = await connection.client();
    const answer = await client.callTool(
      {
        name: tool.tool,
        arguments: input,
        _meta: { idempotencyKey: context.idempotencyKey },
        ...(inputResponses !== undefined && { inputResponses }),
        ...(requestState !== undefined && { requestState }),
      },
      {
        signal: context.signal,
        timeout: timeoutOf(call, client),
        resetTimeoutOnProgress: true,
        onprogress: onProgress,
        allowInputRequired: true,
        // The output is checked in `result.ts`: the SDK would throw away what the tool did.
        toolDefinition: { ...tool.definition, outputSchema: undefined },
      },
    );
    return isInputRequiredResult(answer) ? { asked: answer } : { result: answer };
  } catch (thrown) {
    const inputRequests = requiredUrls(thrown);
    if (inputRequests !== undefined) return { asked: { inputRequests, byError: true } };
    // The server does not know the session any more.
    if (thrown instanceof SdkHttpError && thrown.status === 404) connection.forget();
    throw failureOf(thrown, tool);
  }
}

/** A server of 2025 holds the request while a person answers, so only the total counts. */
function timeoutOf({ options, timeoutMs, totalTimeoutMs }: ServerCall, client: Client): number {
  const holds = options.elicit !== undefined && client.getProtocolEra() !== "modern";
  return holds ? totalTimeoutMs : timeoutMs;
}
