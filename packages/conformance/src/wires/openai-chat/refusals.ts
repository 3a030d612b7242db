import { isObject, tryParseJson } from "../../harness/json.ts";
import type { Violation } from "../../wire.ts";
import { formatViolations } from "../openai-format.ts";
import {
  type Fields,
  fieldsOf,
  listDoubtful,
  listViolations,
  matches,
  noJsonObject,
  objectsIn,
} from "../shared.ts";
import { chatPairingViolations } from "./pairing.ts";

const chatNamePattern = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * OpenAI refused longer ids, and takes those of 53 characters since 2026 (vercel/ai#17233). Azure
 * and others still refuse them.
 */
const maxChatIdLength = 40;
/** Later errors name this limit (openclaw/openclaw#875). */
const refusedChatIdLength = 64;

/** What each type of part must have, and which roles may send it. */
const chatPartRules: Readonly<
  Record<string, { readonly roles: string; readonly has: (part: Fields) => boolean }>
> = {
  text: {
    roles: "system developer user assistant tool function",
    has: ({ text }) => typeof text === "string",
  },
  refusal: { roles: "assistant", has: ({ refusal }) => typeof refusal === "string" },
  image_url: {
    roles: "user",
    has: ({ image_url: image }) => matches(fieldsOf(image)["url"], /^(data:image\/|https?:)/),
  },
  input_audio: {
    roles: "user",
    has: ({ input_audio: audio }) => typeof fieldsOf(audio)["data"] === "string",
  },
  file: { roles: "user", has: ({ file }) => isObject(file) },
};

function chatContentViolations(content: unknown, role: string, at: string): readonly Violation[] {
  if (typeof content === "string") return [];
  if (!Array.isArray(content))
    return [
      {
        message: `${at}: invalid content: expected a string or an array of parts`,
        part: { role, content },
      },
    ];
  return [
    ...listViolations(
      { role, content },
      { [`${at}: content must not be an empty array`]: content.length === 0 },
    ),
    ...objectsIn(content).flatMap((part, index) => {
      const rule = chatPartRules[String(part["type"])];
      return listViolations(part, {
        [`${at}.content[${index}]: a part of type ${String(part["type"])} is not allowed for the role ${role}`]:
          rule === undefined || !rule.roles.split(" ").includes(role),
        [`${at}.content[${index}]: the part lacks what its type needs`]:
          rule !== undefined && !rule.has(part),
      });
    }),
  ];
}

/**
 * Hosts refuse arguments that are not JSON (vllm-project/vllm#43995,
 * OpenHands/software-agent-sdk#2887). That OpenAI does is written nowhere, and
 * BerriAI/litellm#40369 says that it does not.
 */
function chatCallViolations(call: Fields, at: string): readonly Violation[] {
  const { id, type } = call;
  const {
    name,
    arguments: written,
    input,
  } = fieldsOf(type === "custom" ? call["custom"] : call["function"]);
  const isJson = typeof written !== "string" || isObject(tryParseJson(written));
  const refused = listViolations(call, {
    [`${at}.id: string too long. Expected a string with maximum length ${refusedChatIdLength}`]:
      String(id).length > refusedChatIdLength,
    [`${at}.id: expected a non-empty string`]: typeof id !== "string" || id === "",
    [`${at}.type: must be function or custom`]: type !== "function" && type !== "custom",
    [`${at}: the name must match ${chatNamePattern}`]: !matches(name, chatNamePattern),
    [`${at}: the arguments must be a string`]: type === "function" && typeof written !== "string",
    [`${at}: the input must be a string`]: type === "custom" && typeof input !== "string",
  });
  return [
    ...refused,
    ...listDoubtful(call, {
      [`${at}.id: string too long. Expected a string with maximum length ${maxChatIdLength}`]:
        String(id).length > maxChatIdLength && String(id).length <= refusedChatIdLength,
      [`${at}: the arguments must be JSON of an object`]: type === "function" && !isJson,
    }),
  ];
}

function chatAssistantViolations(message: Fields, at: string): readonly Violation[] {
  const { content, tool_calls: calls, function_call: call, refusal, audio } = message;
  const says = content !== undefined && content !== null;
  // `function_call` is the older form of `tool_calls`.
  const hasOther = [call, refusal, audio].some((one) => (one ?? undefined) !== undefined);
  return [
    ...listViolations(message, {
      [`${at}: expected content or tool_calls`]:
        !says && !hasOther && objectsIn(calls).length === 0,
      [`${at}.tool_calls: [] is too short`]: Array.isArray(calls) && calls.length === 0,
    }),
    ...(says ? chatContentViolations(content, "assistant", at) : []),
    ...objectsIn(calls).flatMap((call, index) =>
      chatCallViolations(call, `${at}.tool_calls[${index}]`),
    ),
  ];
}

function chatMessageViolations(message: Fields, index: number): readonly Violation[] {
  const at = `messages[${index}]`;
  const role = String(message["role"]);
  if (role === "assistant") return chatAssistantViolations(message, at);
  // `function` is the older name of `tool`. OpenAI still takes it.
  const known = ["system", "developer", "user", "tool", "function"].includes(role);
  return [
    ...listViolations(message, {
      [`${at}: unexpected role ${role}`]: !known,
      [`${at}: tool_calls belong to the assistant`]: message["tool_calls"] !== undefined,
      [`${at}: missing required parameter tool_call_id`]:
        role === "tool" && typeof message["tool_call_id"] !== "string",
    }),
    ...chatContentViolations(message["content"], role, at),
  ];
}

function chatToolsViolations(body: Fields): readonly Violation[] {
  const tools = objectsIn(body["tools"]);
  const { tool_choice: choice, parallel_tool_calls: parallel } = body;
  const definitions = tools.map(({ type, ...tool }) =>
    fieldsOf(type === "custom" ? tool["custom"] : tool["function"]),
  );
  const names = definitions.map(({ name }) => name);
  const { type, ...named } = fieldsOf(choice);
  const chosen = fieldsOf(type === "custom" ? named["custom"] : named["function"])["name"];
  const refused = listViolations(
    { tools: body["tools"], tool_choice: choice, parallel_tool_calls: parallel },
    {
      "tools: [] is too short": Array.isArray(body["tools"]) && tools.length === 0,
      "tool_choice is only allowed when tools are specified":
        choice !== undefined && tools.length === 0,
      "parallel_tool_calls is only allowed when tools are specified":
        parallel !== undefined && tools.length === 0,
      [`tools: the names must match ${chatNamePattern}: ${names.join(", ")}`]: names.some(
        (name) => !matches(name, chatNamePattern),
      ),
      "tools: the parameters must have the type object": definitions.some(
        ({ parameters }) => parameters !== undefined && fieldsOf(parameters)["type"] !== "object",
      ),
      [`tool_choice: ${String(chosen)} is not among the tools`]:
        chosen !== undefined && !names.includes(chosen),
    },
  );
  // DeepSeek refuses this (router-for-me/CLIProxyAPI#4788), OpenAI does not (eclipse-theia/theia#16122).
  const doubtful = listDoubtful(names, {
    "tools: the names must be unique": new Set(names).size !== names.length,
  });
  return [...refused, ...doubtful];
}

function chatRequestViolations(body: Fields): readonly Violation[] {
  const {
    model,
    max_tokens: cap,
    max_completion_tokens: newCap,
    stream,
    stream_options: options,
  } = body;
  const messages = objectsIn(body["messages"]);
  const format = fieldsOf(body["response_format"]);
  const caps = [cap, newCap].filter((value) => value !== undefined && value !== null);
  return [
    ...listViolations(
      { model, max_tokens: cap, max_completion_tokens: newCap, stream, stream_options: options },
      {
        "you must provide a model parameter": typeof model !== "string" || model === "",
        "messages: [] is too short": messages.length === 0,
        "max_tokens and max_completion_tokens cannot be used together": caps.length > 1,
        "max_tokens: expected an integer of at least 1": caps.some(
          (value) => !Number.isInteger(value) || Number(value) < 1,
        ),
        "stream_options is only allowed when stream is enabled":
          options !== undefined && stream !== true,
      },
    ),
    ...chatToolsViolations(body),
    ...formatViolations(format["type"], fieldsOf(format["json_schema"]), "response_format"),
    ...messages.flatMap(chatMessageViolations),
    ...chatPairingViolations(messages),
  ];
}

/**
 * The rules of Chat Completions that a request body breaks. The sentences are those of its errors.
 * https://developers.openai.com/api/reference/resources/chat, camel-ai/camel#2215,
 * microsoft/autogen#6377
 */
export const chatViolations = (body: unknown): readonly Violation[] =>
  isObject(body) ? chatRequestViolations(body) : noJsonObject;
