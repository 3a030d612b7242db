import { cap as suiteCap } from "../harness/scenarios.ts";
import type { WireName } from "../replay/builtin.ts";
import { namedTools, toolProperties } from "./tools.ts";

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

function interactionsRequest(conversation: Conversation): FrontRequest {
  const { model, prompt, stream, key, answered = [], cap = suiteCap } = conversation;
  return {
    path: "/v1beta/interactions",
    headers: { "x-goog-api-key": key },
    body: {
      model,
      system_instruction: instructions,
      input: [
        { type: "user_input", content: [{ type: "text", text: prompt }] },
        ...answered.map(({ id, name, input }) => ({
          type: "function_call",
          id,
          name,
          arguments: input,
          signature: btoa("signature 0"),
        })),
        ...answered.map(({ id, name, result }) => ({
          type: "function_result",
          call_id: id,
          name,
          result,
        })),
      ],
      tools: namedTools().map(({ name, description, schema: parameters }) => ({
        type: "function",
        name,
        description,
        parameters,
      })),
      generation_config: { max_output_tokens: cap },
      store: false,
      stream,
    },
  };
}

const builders: Readonly<Record<WireName, (conversation: Conversation) => FrontRequest>> = {
  anthropic: anthropicRequest,
  "openai-chat": chatRequest,
  "openai-responses": responsesRequest,
  gemini: geminiRequest,
  "gemini-interactions": interactionsRequest,
};

export const buildRequest = (protocol: WireName, conversation: Conversation): FrontRequest =>
  builders[protocol](conversation);
