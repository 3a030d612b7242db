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

async function post(
  { endpoint, signal }: LoopContext,
  path: string,
  body: Fields,
): Promise<Fields | undefined> {
  const { fetch = globalThis.fetch, baseURL } = endpoint;
  const response = await fetch(`${baseURL}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
  return response.ok ? ((await response.json()) as Fields) : undefined;
}

interface Protocol {
  readonly path: string;
  request(messages: readonly Fields[], context: LoopContext): Fields;
  stop(body: Fields): string;
}

/** A loop that asks for whole replies, at most 45 times. */
const smallLoopOf =
  ({ path, request, stop }: Protocol, first: Fields, next: Continue): LoopSubject["loop"] =>
  async (context) => {
    let messages: readonly Fields[] = [first];
    for (let count = 0; count < 45; count++) {
      const body = await post(context, path, request(messages, context));
      if (body === undefined) return;
      const run = (input: unknown): string => context.tools[0]?.execute(input) ?? "";
      const more = next({ body, stop: stop(body), run });
      if (more === undefined) return;
      messages = [...messages, ...more];
    }
  };

/** A loop over Chat Completions. */
export const chatLoop = (next: Continue): LoopSubject => ({
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
      }),
      stop: ({ choices }) => String((choices as readonly Fields[])[0]?.["finish_reason"]),
    },
    { role: "user", content: "Go." },
    next,
  ),
});

/** A loop over Messages. */
export const messagesLoop = (next: Continue): LoopSubject => ({
  wire: anthropicWire,
  loop: smallLoopOf(
    {
      path: "/v1/messages",
      request: (messages, { tools }) => ({
        model: "claude-sonnet-5-5",
        max_tokens: 1024,
        messages,
        tools: tools.map(({ name, description, inputSchema }) => ({
          name,
          description,
          input_schema: inputSchema,
        })),
      }),
      stop: (body) => String(body["stop_reason"]),
    },
    { role: "user", content: "Go." },
    next,
  ),
});

/** A loop over generateContent. */
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

/** The parts of a reply of Gemini. */
export const partsOf = ({ body }: Reply): readonly Fields[] => {
  const [candidate] = body["candidates"] as readonly { readonly content: Fields }[];
  return (candidate?.content["parts"] ?? []) as readonly Fields[];
};

/** The message of a reply of Chat Completions. */
export const messageOf = ({ body }: Reply): Fields =>
  (body["choices"] as readonly { readonly message: Fields }[])[0]?.message ?? {};
