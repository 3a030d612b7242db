import type { Violation } from "@fullstop/conformance";
import { openaiChatWire } from "@fullstop/conformance/wires/openai-chat";

type Fields = Readonly<Record<string, unknown>>;
interface Message extends Fields {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly { readonly id: string }[];
}

/** The fields of a request, and those of a message of each role. https://docs.mistral.ai/api */
const requestFields =
  "model messages tools tool_choice parallel_tool_calls max_tokens stream temperature top_p stop random_seed metadata response_format presence_penalty frequency_penalty n prediction prompt_mode reasoning_effort safe_prompt guardrails prompt_cache_key service_tier";
const messageFields: Fields = {
  system: "role content",
  user: "role content",
  assistant: "role content tool_calls prefix",
  tool: "role content tool_call_id name",
};

const extra = (value: Fields, known: unknown, at: string): readonly string[] =>
  Object.keys(value)
    .filter((key) => !String(known).split(" ").includes(key))
    .map((key) => `${at}.${key}: Extra inputs are not permitted`);

const wrongId = (id: unknown): readonly string[] =>
  /^[a-zA-Z0-9]{9}$/.test(String(id))
    ? []
    : [`Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9.`];

/**
 * What the parts need that only this API has: `ContentChunk` of
 * https://github.com/mistralai/client-ts
 */
const ownParts: Readonly<Record<string, string>> = {
  document_url: "document_url",
  file: "file_id",
};
const isOwnPart = (part: Fields): boolean => {
  const field = ownParts[String(part["type"])];
  return field !== undefined && typeof part[field] === "string";
};
/** The body without the parts that OpenAI's API does not have. */
const withoutOwnParts = ({ messages, ...body }: Fields): Fields => ({
  ...body,
  messages: (messages as readonly Message[]).map(({ content, ...message }) => ({
    ...message,
    content: Array.isArray(content)
      ? content.map((part: Fields) => (isOwnPart(part) ? { type: "text", text: "" } : part))
      : content,
  })),
});

/** The roles that may come before a role; `undefined` is the start. */
const before: Readonly<Record<string, readonly (string | undefined)[]>> = {
  system: [undefined, "system"],
  user: [undefined, "system", "user", "assistant"],
  assistant: ["system", "user", "assistant", "tool"],
  tool: ["assistant", "tool"],
};

function messageViolations(message: Message, previous: Message | undefined): readonly string[] {
  const { role, content, tool_calls: calls = [] } = message;
  const isEmpty =
    role === "assistant" &&
    calls.length === 0 &&
    (content === undefined || content === null || content === "");
  return [
    ...extra(message, messageFields[role], role),
    ...(before[role]?.includes(previous?.role)
      ? []
      : [`Unexpected role '${role}' after role '${previous?.role}'`]),
    ...(isEmpty ? ["Assistant message must have either content or tool_calls, but not none."] : []),
    ...calls.flatMap(({ id }) => wrongId(id)),
    ...(role === "tool" ? wrongId(message["tool_call_id"]) : []),
  ];
}

/**
 * The rules of Mistral's API and of the protocol that a request body breaks, as the API's errors.
 * https://github.com/mistralai/mistral-common: the validators; litellm#6323, crush#1590,
 * ironclaw#1241, OpenHands#8685, rig#708
 */
export function violations(body: unknown): readonly Violation[] {
  const { messages } = body as { readonly messages: readonly Message[] };
  const last = messages.at(-1)?.role;
  const ofMistral = [
    ...extra(body as Fields, requestFields, "body"),
    ...messages.flatMap((message, n) => messageViolations(message, messages[n - 1])),
    ...(last === "user" || last === "tool"
      ? []
      : [
          `Expected last role User or Tool (or Assistant with prefix True) for serving but got ${last}`,
        ]),
  ];
  return [
    ...openaiChatWire.violations(withoutOwnParts(body as Fields)),
    ...ofMistral.map((message) => ({ message })),
  ];
}
