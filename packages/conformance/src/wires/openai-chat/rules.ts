import { isObject, parseJson } from "../../harness/json.ts";
import { type Fields, fields, holding, list, matches } from "../fields.ts";
import { pairing } from "./pairing.ts";

const namePattern = /^[a-zA-Z0-9_-]{1,64}$/;
const longestId = 40;

/** What each kind of part must have, and who may send it. */
const parts: Readonly<
  Record<string, { readonly roles: string; readonly has: (part: Fields) => boolean }>
> = {
  text: {
    roles: "system developer user assistant tool",
    has: ({ text }) => typeof text === "string",
  },
  refusal: { roles: "assistant", has: ({ refusal }) => typeof refusal === "string" },
  image_url: {
    roles: "user",
    has: ({ image_url: image }) => matches(fields(image)["url"], /^(data:image\/|https?:)/),
  },
  input_audio: {
    roles: "user",
    has: ({ input_audio: audio }) => typeof fields(audio)["data"] === "string",
  },
  file: { roles: "user", has: ({ file }) => isObject(file) },
};

function ofContent(content: unknown, role: string, at: string): readonly string[] {
  if (typeof content === "string") return [];
  if (!Array.isArray(content))
    return [`${at}: invalid content: expected a string or an array of parts`];
  return [
    ...holding({ [`${at}: content must not be an empty array`]: content.length === 0 }),
    ...list(content).flatMap((part, n) => {
      const rule = parts[String(part["type"])];
      return holding({
        [`${at}.content[${n}]: a part of type ${String(part["type"])} is not allowed for the role ${role}`]:
          rule === undefined || !rule.roles.split(" ").includes(role),
        [`${at}.content[${n}]: the part lacks what its type needs`]:
          rule !== undefined && !rule.has(part),
      });
    }),
  ];
}

function ofCall({ id, type, ...call }: Fields, at: string): readonly string[] {
  const {
    name,
    arguments: written,
    input,
  } = fields(type === "custom" ? call["custom"] : call["function"]);
  return holding({
    [`${at}.id: string too long. Expected a string with maximum length ${longestId}`]:
      String(id).length > longestId,
    [`${at}.id: expected a non-empty string`]: typeof id !== "string" || id === "",
    [`${at}.type: must be function or custom`]: type !== "function" && type !== "custom",
    [`${at}: the name must match ${namePattern}`]: !matches(name, namePattern),
    [`${at}: the arguments must be JSON of an object`]:
      type === "function" && !(typeof written === "string" && isObject(parseJson(written))),
    [`${at}: the input must be a string`]: type === "custom" && typeof input !== "string",
  });
}

function ofAssistant({ content, tool_calls: calls }: Fields, at: string): readonly string[] {
  const says = content !== undefined && content !== null;
  return [
    ...holding({
      [`${at}: expected content or tool_calls`]: !says && list(calls).length === 0,
      [`${at}.tool_calls: [] is too short`]: Array.isArray(calls) && calls.length === 0,
    }),
    ...(says ? ofContent(content, "assistant", at) : []),
    ...list(calls).flatMap((call, n) => ofCall(call, `${at}.tool_calls[${n}]`)),
  ];
}

function ofMessage(message: Fields, n: number): readonly string[] {
  const at = `messages[${n}]`;
  const role = String(message["role"]);
  if (role === "assistant") return ofAssistant(message, at);
  const known = ["system", "developer", "user", "tool"].includes(role);
  return [
    ...holding({
      [`${at}: unexpected role ${role}`]: !known,
      [`${at}: tool_calls belong to the assistant`]: message["tool_calls"] !== undefined,
      [`${at}: missing required parameter tool_call_id`]:
        role === "tool" && typeof message["tool_call_id"] !== "string",
    }),
    ...ofContent(message["content"], role, at),
  ];
}

function ofTools(body: Fields): readonly string[] {
  const tools = list(body["tools"]);
  const { tool_choice: choice, parallel_tool_calls: parallel } = body;
  const definitions = tools.map(({ type, ...tool }) =>
    fields(type === "custom" ? tool["custom"] : tool["function"]),
  );
  const names = definitions.map(({ name }) => name);
  const { type, ...named } = fields(choice);
  const chosen = fields(type === "custom" ? named["custom"] : named["function"])["name"];
  return holding({
    "tools: [] is too short": Array.isArray(body["tools"]) && tools.length === 0,
    "tool_choice is only allowed when tools are specified":
      choice !== undefined && tools.length === 0,
    "parallel_tool_calls is only allowed when tools are specified":
      parallel !== undefined && tools.length === 0,
    "tools: the names must be unique": new Set(names).size !== names.length,
    [`tools: the names must match ${namePattern}: ${names.join(", ")}`]: names.some(
      (name) => !matches(name, namePattern),
    ),
    "tools: the parameters must have the type object": definitions.some(
      ({ parameters }) => parameters !== undefined && fields(parameters)["type"] !== "object",
    ),
    [`tool_choice: ${String(chosen)} is not among the tools`]:
      chosen !== undefined && !names.includes(chosen),
  });
}

function ofRequest(body: Fields): readonly string[] {
  const {
    model,
    max_tokens: cap,
    max_completion_tokens: newCap,
    stream,
    stream_options: options,
  } = body;
  const messages = list(body["messages"]);
  const caps = [cap, newCap].filter((value) => value !== undefined && value !== null);
  return [
    ...holding({
      "you must provide a model parameter": typeof model !== "string" || model === "",
      "messages: [] is too short": messages.length === 0,
      "max_tokens and max_completion_tokens cannot be used together": caps.length > 1,
      "max_tokens: expected an integer of at least 1": caps.some(
        (value) => !Number.isInteger(value) || Number(value) < 1,
      ),
      "stream_options is only allowed when stream is enabled":
        options !== undefined && stream !== true,
    }),
    ...ofTools(body),
    ...messages.flatMap(ofMessage),
    ...pairing(messages),
  ];
}

/**
 * The rules of Chat Completions that a request body breaks, in the words of its errors.
 * https://developers.openai.com/api/reference/resources/chat, camel#2215, autogen#6377
 */
export const violations = (body: unknown): readonly string[] =>
  isObject(body) ? ofRequest(body) : ["the body is no JSON object"];
