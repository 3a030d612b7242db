import { cap as suiteCap } from "../harness/scenarios.ts";
import type { WireName } from "../replay/builtin.ts";

/** A request in front of a gateway, in the words of its protocol. */
export interface FrontRequest {
  /** Follows the base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A call of an earlier reply, and its result. */
export interface AnsweredCall {
  readonly id: string;
  readonly name: string;
  readonly input: object;
  readonly result: string;
}

/** What a request of the suite says, in no protocol. */
export interface Conversation {
  readonly model: string;
  readonly prompt: string;
  readonly stream: boolean;
  /** The key that the gateway expects. */
  readonly key: string;
  /** The calls of the reply before, with their results. */
  readonly answered?: readonly AnsweredCall[];
  /** The output cap; that of the suite by default. */
  readonly cap?: number;
  /** The member that has the output cap, if the protocol has two. */
  readonly capMember?: string | undefined;
}

export const instructions = "Be brief. These instructions must reach the model.";

type PropertyType = "string" | "integer" | "boolean" | "object";
const strings = (...names: readonly string[]): Readonly<Record<string, PropertyType>> =>
  Object.fromEntries(names.map((name) => [name, "string"]));

/** The tools of every request: those that the replies of the corpus call. */
export const toolProperties: Readonly<Record<string, Readonly<Record<string, PropertyType>>>> = {
  read: { path: "string", lines: "integer" },
  write: { ...strings("path", "content", "mode"), force: "boolean" },
  list: {},
  weather: strings("city", "emoji", "script", "lone"),
  search: { query: "object" },
  save: strings("path"),
};
export const toolNames: readonly string[] = Object.keys(toolProperties);
/** The tool whose property is required, and the property. */
const requiredOf = (name: string): readonly string[] => (name === "save" ? ["path"] : []);

interface NamedTool {
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

const namedTools = (typeName: (type: string) => string = (type) => type): readonly NamedTool[] =>
  Object.entries(toolProperties).map(([name, properties]) => {
    const required = requiredOf(name);
    return {
      name,
      description: `The tool ${name}.`,
      schema: {
        type: typeName("object"),
        properties: Object.fromEntries(
          Object.entries(properties).map(([key, type]) => [key, { type: typeName(type) }]),
        ),
        ...(required.length > 0 && { required }),
      },
    };
  });

const bearer = (key: string): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${key}`,
});

function chatRequest(conversation: Conversation): FrontRequest {
  const { model, prompt, stream, key, answered, capMember, cap = suiteCap } = conversation;
  const results =
    answered === undefined
      ? []
      : [
          {
            role: "assistant",
            content: null,
            tool_calls: answered.map(({ id, name, input }) => ({
              id,
              type: "function",
              function: { name, arguments: JSON.stringify(input) },
            })),
          },
          ...answered.map(({ id, result }) => ({
            role: "tool",
            tool_call_id: id,
            content: result,
          })),
        ];
  return {
    path: "/chat/completions",
    headers: bearer(key),
    body: {
      model,
      messages: [
        { role: "system", content: instructions },
        { role: "user", content: prompt },
        ...results,
      ],
      tools: namedTools().map(({ name, description, schema: parameters }) => ({
        type: "function",
        function: { name, description, parameters },
      })),
      [capMember ?? "max_completion_tokens"]: cap,
      stream,
      ...(stream && { stream_options: { include_usage: true } }),
    },
  };
}

function responsesRequest(conversation: Conversation): FrontRequest {
  const { model, prompt, stream, key, answered = [], cap = suiteCap } = conversation;
  return {
    path: "/responses",
    headers: bearer(key),
    body: {
      model,
      instructions,
      input: [
        { role: "user", content: prompt },
        ...answered.map(({ id, name, input }) => ({
          type: "function_call",
          call_id: id,
          name,
          arguments: JSON.stringify(input),
        })),
        ...answered.map(({ id, result }) => ({
          type: "function_call_output",
          call_id: id,
          output: result,
        })),
      ],
      tools: namedTools().map(({ name, description, schema: parameters }) => ({
        type: "function",
        name,
        description,
        parameters,
        strict: false,
      })),
      max_output_tokens: cap,
      store: false,
      stream,
    },
  };
}

function anthropicRequest(conversation: Conversation): FrontRequest {
  const { model, prompt, stream, key, answered, cap = suiteCap } = conversation;
  const results =
    answered === undefined
      ? []
      : [
          {
            role: "assistant",
            content: answered.map(({ id, name, input }) => ({ type: "tool_use", id, name, input })),
          },
          {
            role: "user",
            content: answered.map(({ id, result }) => ({
              type: "tool_result",
              tool_use_id: id,
              content: result,
            })),
          },
        ];
  return {
    path: "/v1/messages",
    headers: { "x-api-key": key, "anthropic-version": "2023-06-01" },
    body: {
      model,
      system: instructions,
      messages: [{ role: "user", content: prompt }, ...results],
      tools: namedTools().map(({ name, description, schema }) => ({
        name,
        description,
        input_schema: schema,
      })),
      max_tokens: cap,
      stream,
    },
  };
}

function geminiRequest(conversation: Conversation): FrontRequest {
  const { model, prompt, stream, key, answered, cap = suiteCap } = conversation;
  const results =
    answered === undefined
      ? []
      : [
          {
            role: "model",
            parts: answered.map(({ id, name, input }) => ({
              functionCall: { id, name, args: input },
              thoughtSignature: btoa("signature 0"),
            })),
          },
          {
            role: "user",
            parts: answered.map(({ id, name, result }) => ({
              functionResponse: { id, name, response: { output: result } },
            })),
          },
        ];
  const method = stream ? "streamGenerateContent?alt=sse" : "generateContent";
  return {
    path: `/v1beta/models/${model}:${method}`,
    headers: { "x-goog-api-key": key },
    body: {
      systemInstruction: { parts: [{ text: instructions }] },
      contents: [{ role: "user", parts: [{ text: prompt }] }, ...results],
      tools: [
        {
          functionDeclarations: namedTools((type) => type.toUpperCase()).map(
            ({ name, description, schema }) => ({
              name,
              description,
              ...(Object.keys(toolProperties[name] ?? {}).length > 0 && { parameters: schema }),
            }),
          ),
        },
      ],
      generationConfig: { maxOutputTokens: cap },
    },
  };
}

const builders: Readonly<Record<WireName, (conversation: Conversation) => FrontRequest>> = {
  anthropic: anthropicRequest,
  "openai-chat": chatRequest,
  "openai-responses": responsesRequest,
  gemini: geminiRequest,
};

export const buildRequest = (protocol: WireName, conversation: Conversation): FrontRequest =>
  builders[protocol](conversation);
