import { decodeUrlPart, type Fields, isFields } from "@fullstop/core/adapter";
import type { ProtocolName } from "../options.ts";

export interface KnownPath {
  readonly path: RegExp;
  readonly protocol: ProtocolName;
  readonly method: "GET" | "POST";
  /** Whether a body without tools is of the protocol: other services use the same paths. */
  readonly isRequest: (body: Fields) => boolean;
}

const hasList =
  (name: string) =>
  (body: Fields): boolean =>
    Array.isArray(body[name]);

const hasAny =
  (...names: readonly string[]) =>
  (body: Fields): boolean =>
    names.some((name) => name in body);

const knownPaths: readonly KnownPath[] = [
  {
    path: /\/messages\/?$/,
    protocol: "anthropic-messages",
    method: "POST",
    isRequest: hasList("messages"),
  },
  {
    // Claude on Vertex AI.
    path: /\/publishers\/anthropic\/models\/[^/]+:(?:rawPredict|streamRawPredict)$/,
    protocol: "anthropic-messages",
    method: "POST",
    isRequest: hasList("messages"),
  },
  {
    path: /\/chat\/completions\/?$/,
    protocol: "openai-chat",
    method: "POST",
    isRequest: hasList("messages"),
  },
  {
    path: /\/responses\/?$/,
    protocol: "openai-responses",
    method: "POST",
    isRequest: hasAny("input", "prompt", "previous_response_id", "conversation", "instructions"),
  },
  {
    // A reply that was written in the background.
    path: /\/responses\/resp_[^/]+$/,
    protocol: "openai-responses",
    method: "GET",
    isRequest: () => true,
  },
  {
    path: /:(?:generateContent|streamGenerateContent)$/,
    protocol: "gemini-generate-content",
    method: "POST",
    // Gemini Code Assist nests the request.
    isRequest: (body) => "contents" in (isFields(body["request"]) ? body["request"] : body),
  },
  {
    path: /\/interactions\/?$/,
    protocol: "gemini-interactions",
    method: "POST",
    isRequest: hasAny("input", "continuation_token", "previous_interaction_id"),
  },
  {
    // A reply that the API keeps.
    path: /\/interactions\/v\d+_[^/]+$/,
    protocol: "gemini-interactions",
    method: "GET",
    isRequest: () => true,
  },
];

export function findPath(method: string, url: URL): KnownPath | undefined {
  const path = readPath(url);
  return knownPaths.find((known) => known.method === method && known.path.test(path));
}

/** A path as servers read it: clients encode the colon of Gemini's paths, and double slashes. */
const readPath = ({ pathname }: URL): string => decodeUrlPart(pathname).replace(/\/+/g, "/");

/** Paths whose requests may name tools, and that answer without a new reply of a model. */
const pathsWithoutReply =
  /\/(?:responses\/(?:compact|input_tokens)|messages\/count_tokens|agents|assistants|evals)\/?$|:countTokens$/;
export const mayReply = (url: URL): boolean => !pathsWithoutReply.test(readPath(url));

export function namesTools(body: unknown): boolean {
  if (!isFields(body)) return false;
  const { tools, functions, toolConfig, tool_config: sameConfig, request } = body;
  return (
    [tools, functions].some(hasEntries) ||
    isFields(toolConfig) ||
    isFields(sameConfig) ||
    namesTools(request)
  );
}
/** Gemini's API takes one object for a list. */
const hasEntries = (list: unknown): boolean =>
  typeof list === "object" && list !== null && Object.keys(list).length > 0;

/** Whether tools are named in a member of a body, or in an entry of it. */
export const nestsTools = (body: unknown): boolean =>
  hasEntries(body) && Object.values(body as object).some(namesTools);

/** Whether the provider keeps the history of the conversation. */
export const isStateful: Readonly<Record<ProtocolName, (body: Fields) => boolean>> = {
  "anthropic-messages": ({ thread }) => isPresent(thread),
  "gemini-generate-content": () => false,
  /** Without `store: false` the API keeps the reply, and the next request may name it. */
  "gemini-interactions": ({ store }) => store !== false,
  "openai-chat": () => false,
  "openai-responses": ({ previous_response_id: previous, conversation, store, background }) =>
    isPresent(previous) || isPresent(conversation) || store === true || background === true,
};
/** Whether a second copy of a request would be a second message or reply that the provider keeps. */
export const addsToHistory = ({ conversation, thread, background }: Fields): boolean =>
  isPresent(conversation) || isPresent(thread) || background === true;

const isPresent = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== "";

export function modelOf(body: Fields, { pathname }: URL): string | undefined {
  if (typeof body["model"] === "string") return body["model"];
  const name = /\/models\/([^/:]+?)(?::|%3a)/i.exec(pathname)?.[1];
  return name === undefined ? undefined : decodeUrlPart(name);
}
