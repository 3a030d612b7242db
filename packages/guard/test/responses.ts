import { cap } from "@fullstop/conformance";
import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";
import { type GuardOptions, guard } from "@fullstop/guard";
import OpenAI from "openai";
import { type Guarded, type PlayedReply, readGuarded, type TestServer } from "./server.ts";

export const fixtures: NonNullable<typeof openaiResponsesWire.fixtures> =
  openaiResponsesWire.fixtures ?? [];
export type Fixture = (typeof fixtures)[number];
export type Item = Readonly<Record<string, unknown>>;
/** An event of the protocol. */
export interface Event {
  readonly type: string;
  readonly item?: Item;
  readonly response?: ReplyBody;
  readonly [field: string]: unknown;
}
/** A response, as the last event or a body holds it. */
export interface ReplyBody {
  readonly status?: string;
  readonly output?: readonly Item[];
  readonly [field: string]: unknown;
}

export const eventText = (event: Event): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/** The bytes of a fixture's stream, as the host sends them. */
export const streamOf = ({ frames }: Fixture): string =>
  [...frames.upToTerminal, ...(frames.after ?? [])].map(frameText).join("");
function frameText(data: string): string {
  const { type } = JSON.parse(data) as Event;
  return `event: ${type}\ndata: ${data}\n\n`;
}

export const eventsIn = (text: string): readonly Event[] =>
  text
    .split("\n\n")
    .map((event) => /^data: (.*)$/m.exec(event)?.[1])
    .filter((data) => data !== undefined)
    .map((data) => JSON.parse(data));

/** The response that ends a stream. */
export const endOf = (text: string): Event | undefined =>
  eventsIn(text).findLast(({ type }) => /^response\.(?:completed|incomplete|failed)$/.test(type));

const tool = (name: string, property: string): FunctionTool => ({
  type: "function",
  strict: false,
  name,
  parameters: { type: "object", properties: { [property]: { type: "string" } } },
});
type FunctionTool = OpenAI.Responses.FunctionTool;
type Input = OpenAI.Responses.EasyInputMessage;

/** A request of the protocol. Its tools are those of the corpus. */
export const responsesRequest: {
  readonly model: string;
  readonly max_output_tokens: number;
  readonly store: boolean;
  readonly input: Input[];
  readonly tools: FunctionTool[];
} = {
  model: "gpt-5.5",
  max_output_tokens: cap,
  store: false,
  input: [{ role: "user", content: "Read the notes." }],
  tools: [tool("read", "path"), tool("list", "of")],
};

export interface AskOptions extends GuardOptions {
  readonly path?: string;
  /** `undefined`: a GET. */
  readonly body?: object | undefined;
}

/** Sends a request through the guard. */
export function guardedFetch({ url }: TestServer, asked: AskOptions = {}): Promise<Response> {
  const { path = "/v1/responses", body: given, ...options } = asked;
  const body = "body" in asked ? given : { ...responsesRequest, stream: true };
  return guard(fetch, options)(url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** Asks through the guard, as a program that reads all bytes. */
export const ask = (server: TestServer, options?: AskOptions): Promise<Guarded> =>
  readGuarded((given) => guardedFetch(server, given), options);

/** The vendor's client behind the guard. */
export const clientOf = ({ url }: TestServer, options: GuardOptions = {}): OpenAI =>
  new OpenAI({
    apiKey: "key",
    baseURL: `${url}/v1`,
    fetch: guard(fetch, options),
    maxRetries: 0,
  });

export const json = (body: unknown, rest: Partial<PlayedReply> = {}): PlayedReply => ({
  headers: { "content-type": "application/json" },
  chunks: [JSON.stringify(body)],
  ...rest,
});

/** Types of items and events that ask a client for something, in the corpus. */
const callTypes =
  /"type":\s*"(?:function_call|custom_tool_call|apply_patch_call|computer_call|local_shell_call|tool_search_call|mcp_approval_request|x_later_\w+|response\.(?:function_call_arguments|custom_tool_call_input)\.\w+)"/;
const shellCall = /"type":\s*"shell_call"(?!.*"container_reference")/;
/** Whether bytes hold a part of a call, however they are cut. An error may quote one. */
export const leaks = (text: string): boolean =>
  text.split("\n").some((line) => callTypes.test(line) || shellCall.test(line));

export const isCall = (item: Item): boolean => leaks(JSON.stringify(item));

const callId = ({ call_id: id, id: own }: Item): unknown => id ?? own;
/** The calls of an output. */
export const callsIn = (output: readonly Item[] = []): readonly Item[] =>
  output.filter(isCall).map((item) => ({ id: callId(item), ...item }));
