import type { LoopContext, LoopSubject } from "../../src/index.ts";
import { anthropicWire } from "../../src/wires/anthropic/index.ts";
import { geminiWire } from "../../src/wires/gemini/index.ts";
import { openaiChatWire } from "../../src/wires/openai-chat/index.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What a small loop does with a reply; `run` runs a call and gives its result. */
export interface Reply {
  readonly stop: string;
  readonly body: Fields;
  run(input: unknown): string;
}
/** The next messages of the history. `undefined` ends the run. */
export type Continue = (reply: Reply) => readonly Fields[] | undefined;

const readJson = async (response: Response): Promise<Fields> => (await response.json()) as Fields;

async function post(
  { endpoint, signal }: LoopContext,
  { path, read = readJson }: Protocol,
  body: Fields,
): Promise<Fields | undefined> {
  const { fetch = globalThis.fetch, baseURL } = endpoint;
  const response = await fetch(`${baseURL}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
  return response.ok ? read(response) : undefined;
}

interface Protocol {
  readonly path: string;
  request(messages: readonly Fields[], context: LoopContext): Fields;
  stop(body: Fields): string;
  /** Reads a reply. By default it is JSON. */
  read?(response: Response): Promise<Fields>;
}

/** A loop that asks at most 45 times. */
const smallLoopOf =
  (protocol: Protocol, first: Fields, next: Continue): LoopSubject["loop"] =>
  async (context) => {
    const { request, stop } = protocol;
    let messages: readonly Fields[] = [first];
    for (let count = 0; count < 45; count++) {
      const body = await post(context, protocol, request(messages, context));
      if (body === undefined) return;
      const run = (input: unknown): string => context.tools[0]?.execute(input) ?? "";
      const more = next({ body, stop: stop(body), run });
      if (more === undefined) return;
      messages = [...messages, ...more];
    }
  };

/** A loop over Chat Completions; `parameters` are members of each request. */
export const chatLoop = (next: Continue, parameters: Fields = {}): LoopSubject => ({
  wire: openaiChatWire,
  loop: smallLoopOf(
    {
      path: "/v1/chat/completions",
      request: (messages, { tools }) => ({
        model: "gpt-5.2",
        max_completion_tokens: 1024,
        messages,
        tools: tools.map(({ name, description, inputSchema }) => ({
          type: "function",
          function: { name, description, parameters: inputSchema },
        })),
        ...parameters,
      }),
      stop: ({ choices }) => String((choices as readonly Fields[])[0]?.["finish_reason"]),
    },
    { role: "user", content: "Go." },
    next,
  ),
});

const messagesProtocol = (serverTools: readonly Fields[], afterwards: Fields = {}): Protocol => ({
  path: "/v1/messages",
  request: (messages, { tools }) => ({
    model: "claude-sonnet-5-5",
    max_tokens: 1024,
    messages,
    tools: [
      ...tools.map(({ name, description, inputSchema }) => ({
        name,
        description,
        input_schema: inputSchema,
      })),
      ...serverTools,
    ],
    ...(messages.length > 1 && afterwards),
  }),
  stop: (body) => String(body["stop_reason"]),
});

/**
 * A loop over Messages, with these tools of the provider. `afterwards` are members of each request
 * after the first.
 */
export const messagesLoop = (
  next: Continue,
  serverTools: readonly Fields[] = [],
  afterwards: Fields = {},
): LoopSubject => ({
  wire: anthropicWire,
  loop: smallLoopOf(
    messagesProtocol(serverTools, afterwards),
    { role: "user", content: "Go." },
    next,
  ),
});

/** A message while it arrives. */
interface StreamedMessage {
  readonly content: Record<string, unknown>[];
  readonly inputs: string[];
  stop: unknown;
}

const fieldsOf = (value: unknown): Fields => (value ?? {}) as Fields;

/** What each event does. Others are ignored. */
const onEvent: Readonly<Record<string, (message: StreamedMessage, event: Fields) => void>> = {
  content_block_start: ({ content }, event) =>
    content.push({ ...fieldsOf(event["content_block"]) }),
  content_block_delta: ({ inputs }, { index, delta }) => {
    const at = Number(index);
    inputs[at] = `${inputs[at] ?? ""}${String(fieldsOf(delta)["partial_json"] ?? "")}`;
  },
  message_delta: (message, { delta }) => {
    message.stop = fieldsOf(delta)["stop_reason"];
  },
  error: () => {
    throw new Error("The provider reported an error.");
  },
};

/**
 * A message from the events of a stream. It believes a stop reason without `message_stop`, and
 * ignores events without a name, as the vendor's clients do. `readsOn`: also behind the stop reason.
 */
function readMessage(text: string, readsOn: boolean): Fields {
  const message: StreamedMessage = { content: [], inputs: [], stop: "none" };
  for (const [, data = ""] of text.matchAll(/^event: .*\ndata: (.*)$/gm)) {
    const event = JSON.parse(data) as Fields;
    onEvent[String(event["type"])]?.(message, event);
    if (message.stop !== "none" && !readsOn) break;
  }
  const content = message.content.map((block, index) =>
    block["type"] === "tool_use"
      ? { ...block, input: JSON.parse(message.inputs[index] || "{}") }
      : block,
  );
  return { content, stop_reason: message.stop };
}

export const streamingMessagesLoop = (next: Continue, readsOn = true): LoopSubject => {
  const protocol = messagesProtocol([]);
  return {
    wire: anthropicWire,
    loop: smallLoopOf(
      {
        ...protocol,
        request: (messages, context) => ({ ...protocol.request(messages, context), stream: true }),
        read: async (response) => readMessage(await response.text(), readsOn),
      },
      { role: "user", content: "Go." },
      next,
    ),
  };
};

export const geminiLoop = (model: string, next: Continue): LoopSubject => ({
  wire: geminiWire,
  loop: smallLoopOf(
    {
      path: `/v1beta/models/${model}:generateContent`,
      request: (contents, { tools }) => ({
        contents,
        tools: [
          {
            functionDeclarations: tools.map(({ name, description, inputSchema }) => ({
              name,
              description,
              parametersJsonSchema: inputSchema,
            })),
          },
        ],
      }),
      stop: ({ candidates }) => String((candidates as readonly Fields[])[0]?.["finishReason"]),
    },
    { role: "user", parts: [{ text: "Go." }] },
    next,
  ),
});

/** The blocks of a message of Anthropic. */
export const contentOf = ({ body }: Reply): readonly Fields[] =>
  body["content"] as readonly Fields[];

export const partsOf = ({ body }: Reply): readonly Fields[] => {
  const [candidate] = body["candidates"] as readonly { readonly content: Fields }[];
  return (candidate?.content["parts"] ?? []) as readonly Fields[];
};

/** The message of a reply of Chat Completions. */
export const messageOf = ({ body }: Reply): Fields =>
  (body["choices"] as readonly { readonly message: Fields }[])[0]?.message ?? {};
