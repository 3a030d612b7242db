import { cap as suiteCap, suiteTools, toolProperties } from "../harness/scenarios.ts";
import type { WireName } from "../replay/builtin.ts";
import type { ReplyCall } from "../wire.ts";

export interface FrontRequest {
  /** Follows the base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What a request of the suite says, in no protocol. */
export interface Conversation {
  readonly model: string;
  readonly prompt: string;
  readonly stream: boolean;
  /** The key that the gateway expects. */
  readonly key: string;
  /** The calls of the reply before, with their results. */
  readonly answered?: readonly (ReplyCall & { readonly result: string })[];
  /** The output cap; that of the suite by default. */
  readonly cap?: number;
  /** The member that has the output cap, if the protocol has two. */
  readonly capMember?: string | undefined;
  readonly members?: Readonly<Record<string, unknown>>;
}

export const instructions = "Be brief. These instructions must reach the model.";

type Said = Required<Omit<Conversation, "capMember">> & Pick<Conversation, "capMember">;

/** How a protocol says it. `path` and `key` are the path and the header with the key. */
interface Words {
  path(said: Said): string;
  key(key: string): Readonly<Record<string, string>>;
  body(said: Said): FrontRequest["body"];
}

const bearer: Words["key"] = (key) => ({ authorization: `Bearer ${key}` });

const typedTools = suiteTools("object", (type) => ({ type }));
/** The tools of the request. `member` has the schema of a tool. */
const toolsWith = (member: string): readonly object[] =>
  typedTools.map(({ schema, ...tool }) => ({ ...tool, [member]: schema }));

/** Gemini writes types in capitals, and takes no schema without properties. */
const geminiTools: readonly object[] = suiteTools("OBJECT", (type) => ({
  type: type.toUpperCase(),
})).map(({ schema: parameters, ...tool }) => ({
  ...tool,
  ...(Object.keys(toolProperties[tool.name] ?? {}).length > 0 && { parameters }),
}));

/** A message with these parts. There is none without parts. */
const messageOf = (message: object, member: string, parts: readonly object[]): readonly object[] =>
  parts.length === 0 ? [] : [{ ...message, [member]: parts }];

const callSignature = btoa("signature 0");

const words: Readonly<Record<WireName, Words>> = {
  anthropic: {
    path: () => "/v1/messages",
    key: (key) => ({ "x-api-key": key, "anthropic-version": "2023-06-01" }),
    body: ({ model, prompt, stream, answered, cap }) => ({
      model,
      system: instructions,
      messages: [
        { role: "user", content: prompt },
        ...messageOf(
          { role: "assistant" },
          "content",
          answered.map(({ id, name, input }) => ({ type: "tool_use", id, name, input })),
        ),
        ...messageOf(
          { role: "user" },
          "content",
          answered.map(({ id, result: content }) => ({
            type: "tool_result",
            tool_use_id: id,
            content,
          })),
        ),
      ],
      tools: toolsWith("input_schema"),
      max_tokens: cap,
      stream,
    }),
  },
  "openai-chat": {
    path: () => "/chat/completions",
    key: bearer,
    body: ({ model, prompt, stream, answered, cap, capMember = "max_completion_tokens" }) => ({
      model,
      messages: [
        { role: "system", content: instructions },
        { role: "user", content: prompt },
        ...messageOf(
          { role: "assistant", content: null },
          "tool_calls",
          answered.map(({ id, name, input }) => ({
            id,
            type: "function",
            function: { name, arguments: JSON.stringify(input) },
          })),
        ),
        ...answered.map(({ id, result: content }) => ({ role: "tool", tool_call_id: id, content })),
      ],
      tools: toolsWith("parameters").map((tool) => ({ type: "function", function: tool })),
      [capMember]: cap,
      stream,
      ...(stream && { stream_options: { include_usage: true } }),
    }),
  },
  "openai-responses": {
    path: () => "/responses",
    key: bearer,
    body: ({ model, prompt, stream, answered, cap }) => ({
      model,
      instructions,
      input: [
        { role: "user", content: prompt },
        ...answered.map(({ id: call_id, name, input }) => ({
          type: "function_call",
          call_id,
          name,
          arguments: JSON.stringify(input),
        })),
        ...answered.map(({ id: call_id, result: output }) => ({
          type: "function_call_output",
          call_id,
          output,
        })),
      ],
      tools: toolsWith("parameters").map((tool) => ({ type: "function", ...tool, strict: false })),
      max_output_tokens: cap,
      store: false,
      stream,
    }),
  },
  gemini: {
    path: ({ model, stream }) =>
      `/v1beta/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    key: (key) => ({ "x-goog-api-key": key }),
    body: ({ prompt, answered, cap }) => ({
      systemInstruction: { parts: [{ text: instructions }] },
      contents: [
        { role: "user", parts: [{ text: prompt }] },
        ...messageOf(
          { role: "model" },
          "parts",
          answered.map(({ id, name, input: args }) => ({
            functionCall: { id, name, args },
            thoughtSignature: callSignature,
          })),
        ),
        ...messageOf(
          { role: "user" },
          "parts",
          answered.map(({ id, name, result: output }) => ({
            functionResponse: { id, name, response: { output } },
          })),
        ),
      ],
      tools: [{ functionDeclarations: geminiTools }],
      generationConfig: { maxOutputTokens: cap },
    }),
  },
  "gemini-interactions": {
    path: () => "/v1beta/interactions",
    key: (key) => ({ "x-goog-api-key": key }),
    body: ({ model, prompt, stream, answered, cap }) => ({
      model,
      system_instruction: instructions,
      input: [
        { type: "user_input", content: [{ type: "text", text: prompt }] },
        ...answered.map(({ id, name, input }) => ({
          type: "function_call",
          id,
          name,
          arguments: input,
          signature: callSignature,
        })),
        ...answered.map(({ id: call_id, name, result }) => ({
          type: "function_result",
          call_id,
          name,
          result,
        })),
      ],
      tools: toolsWith("parameters").map((tool) => ({ type: "function", ...tool })),
      generation_config: { max_output_tokens: cap },
      store: false,
      stream,
    }),
  },
};

export function buildRequest(protocol: WireName, conversation: Conversation): FrontRequest {
  const { path, key, body } = words[protocol];
  const said = { answered: [], cap: suiteCap, members: {}, ...conversation };
  return { path: path(said), headers: key(said.key), body: { ...body(said), ...said.members } };
}

/** Where a protocol takes forms. https://developers.openai.com/api/reference/resources/files */
const formPaths: Readonly<Partial<Record<WireName, string>>> = {
  anthropic: "/v1/files",
  "openai-chat": "/files",
  "openai-responses": "/files",
};

export interface FrontForm extends Omit<FrontRequest, "body"> {
  readonly body: FormData;
}

/** A form with a text, and with a file of every byte. `undefined` if the protocol takes none. */
export function buildForm(protocol: WireName, key: string, text: string): FrontForm | undefined {
  const path = formPaths[protocol];
  if (path === undefined) return undefined;
  const body = new FormData();
  body.set("purpose", text);
  const bytes = Uint8Array.from({ length: 1024 }, (_, index) => index % 256);
  body.set("file", new File([bytes], "notes.bin", { type: "application/octet-stream" }));
  return { path, headers: words[protocol].key(key), body };
}
