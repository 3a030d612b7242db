import Anthropic from "@anthropic-ai/sdk";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import OpenAI from "openai";
import type {
  Response,
  ResponseCreateParamsNonStreaming,
  ResponseCreateParamsStreaming,
  ResponseFunctionToolCall,
  ResponseInputItem,
  ResponseStreamEvent,
} from "openai/resources/responses/responses";
import type { LoopContext, LoopSubject } from "../../src/index.ts";
import { anthropicWire } from "../../src/wires/anthropic/index.ts";
import { openaiResponsesWire } from "../../src/wires/openai-responses/index.ts";
import { sdkOptions } from "../sdk-options.ts";

const maxTurns = 5;

type Request = ResponseCreateParamsNonStreaming;

/** What a program does with OpenAI's `previous_response_id`. */
export interface Chaining {
  /** Changes each request before it is sent. */
  readonly change?: (request: Request, index: number) => Request;
  /** What it sends if no call ran; by default the run ends then. */
  readonly afterOther?: () => readonly ResponseInputItem[];
  /** What it sends before its own items. */
  readonly before?: (response: Response) => readonly ResponseInputItem[];
  /** How the next request refers to the reply. */
  readonly refer?: (response: Response) => Partial<Request>;
}

const callsOf = ({ output }: Response): readonly ResponseFunctionToolCall[] =>
  output.filter((item) => item.type === "function_call");

/** Runs the calls of a finished response. Empty if one of them cannot be read. */
function runCalls(response: Response, { tools }: LoopContext): readonly ResponseInputItem[] {
  if (response.status !== "completed") return [];
  if (response.output.some((item) => item.type === "message" && item.content.some(isRefusal)))
    return [];
  try {
    const calls = callsOf(response).map((call) => ({ ...call, input: JSON.parse(call.arguments) }));
    return calls.map(({ call_id, input }) => ({
      type: "function_call_output",
      call_id,
      output: tools[0]?.execute(input) ?? "",
    }));
  } catch {
    return [];
  }
}
const isRefusal = ({ type }: { readonly type: string }): boolean => type === "refusal";

const toTools = ({ tools }: LoopContext): NonNullable<Request["tools"]> =>
  tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    name,
    description,
    parameters: { ...inputSchema },
    strict: true,
  }));

const referToLast = ({ id }: Response): Partial<Request> => ({ previous_response_id: id });

/** A loop over OpenAI's SDK: each request has the new items only, as the vendor's README shows. */
export const chainedLoop = ({
  change = (request) => request,
  afterOther = () => [],
  before = () => [],
  refer = referToLast,
}: Chaining = {}): LoopSubject => ({
  wire: openaiResponsesWire,
  loop: async (context) => {
    const { responses } = new OpenAI(sdkOptions(context));
    const about = { model: "gpt-5.5", tools: toTools(context), store: true } as const;
    let request: Request = change({ ...about, input: context.prompt }, 0);
    for (let turn = 1; turn < maxTurns; turn++) {
      const response = await responses.create(request, { signal: context.signal });
      const results = runCalls(response, context);
      const own = results.length > 0 ? results : afterOther();
      if (own.length === 0) return;
      const input = [...before(response), ...own];
      request = change({ ...about, ...refer(response), input }, turn);
    }
  },
});

const isOver = ({ status }: Response): boolean => status !== "in_progress";

/** The last response of a stream, and the id that its first event gave. */
async function readStream(
  events: () => Promise<AsyncIterable<ResponseStreamEvent>>,
): Promise<{ readonly id: string | undefined; readonly response: Response | undefined }> {
  let id: string | undefined;
  let response: Response | undefined;
  try {
    for await (const event of await events()) {
      if (event.type === "response.created") id = event.response.id;
      else if ("response" in event && isOver(event.response)) response = event.response;
    }
  } catch (thrown) {
    if (id === undefined) throw thrown;
  }
  return { id, response };
}

const brokeOff = [{ role: "user", content: "The connection broke. Go on." }] as const;

/** A loop that streams, and goes on from a reply that broke off by the id of its first event. */
export const resumingLoop: LoopSubject = {
  wire: openaiResponsesWire,
  loop: async (context) => {
    const { responses } = new OpenAI(sdkOptions(context));
    const about = { model: "gpt-5.5", tools: toTools(context), stream: true } as const;
    let request: ResponseCreateParamsStreaming = { ...about, input: context.prompt };
    for (let turn = 1; turn < maxTurns; turn++) {
      const sent = request;
      const { id, response } = await readStream(() =>
        responses.create(sent, { signal: context.signal }),
      );
      const input = response === undefined ? brokeOff : runCalls(response, context);
      if (id === undefined || input.length === 0) return;
      request = { ...about, previous_response_id: id, input: [...input] };
    }
  },
};

/** The tool runner of Anthropic's SDK with its default options: the server keeps the thread. */
export const toolRunner = ({ streams }: { readonly streams: boolean }): LoopSubject => ({
  wire: anthropicWire,
  loop: async (context) => {
    const tools = context.tools.map(({ name, description, inputSchema, execute }) =>
      betaTool({
        name,
        description,
        inputSchema: { ...inputSchema, type: "object" },
        run: (input) => execute(input),
      }),
    );
    const runner = new Anthropic(sdkOptions(context)).beta.messages.toolRunner(
      {
        model: "claude-sonnet-5-5",
        max_tokens: 1024,
        max_iterations: maxTurns,
        stream: streams,
        tools,
        messages: [{ role: "user", content: context.prompt }],
      },
      { signal: context.signal },
    );
    await runner.runUntilDone();
  },
});

type MessageRequest = Anthropic.Beta.MessageCreateParamsNonStreaming;
type Content = Anthropic.Beta.BetaContentBlockParam[];

/** What a program does with Anthropic's `thread`. */
export interface Threading {
  /** Changes each request before it is sent. */
  readonly change?: (request: MessageRequest, index: number) => MessageRequest;
  /** What it sends if no call ran; by default the run ends then. */
  readonly afterOther?: Content;
}

/** The results of the calls of a message, if it asks for them. */
function runToolUse(
  { stop_reason: stop, content }: Anthropic.Beta.BetaMessage,
  { tools }: LoopContext,
): Content {
  if (stop !== "tool_use") return [];
  return content
    .filter((block) => block.type === "tool_use")
    .map(({ id, input }) => ({
      type: "tool_result",
      tool_use_id: id,
      content: tools[0]?.execute(input) ?? "",
    }));
}

/** A loop over Anthropic's SDK that sends only the new messages, as the vendor's page shows. */
export const threadedLoop = ({
  change = (request) => request,
  afterOther = [],
}: Threading): LoopSubject => ({
  wire: anthropicWire,
  loop: async (context) => {
    const { messages } = new Anthropic(sdkOptions(context)).beta;
    const about = { model: "claude-sonnet-5-5", max_tokens: 1024 } as const;
    const tools = context.tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      input_schema: { ...inputSchema, type: "object" as const },
    }));
    const prompt = { role: "user", content: context.prompt } as const;
    let request = change({ ...about, tools, messages: [prompt], thread: { type: "create" } }, 0);
    for (let turn = 1; turn < maxTurns; turn++) {
      const message = await messages.create(request, { signal: context.signal });
      const results = runToolUse(message, context);
      const content = results.length > 0 ? results : afterOther;
      if (content.length === 0) return;
      const thread = { type: "continue", previous_message_id: message.id } as const;
      request = change({ ...about, messages: [{ role: "user", content }], thread }, turn);
    }
  },
});
