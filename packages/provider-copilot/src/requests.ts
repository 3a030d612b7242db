import type { Message, TurnRequest } from "@fullstop/core";

type HeaderFields = Readonly<Record<string, string>>;

/** Without `copilot-integration-id` Copilot refuses a request (docker-agent#2475). */
export const clientHeaders: HeaderFields = {
  "copilot-integration-id": "vscode-chat",
  "editor-version": "fullstop/1.0",
  "editor-plugin-version": "fullstop/1.0",
  "openai-intent": "conversation-agent",
};

/** Depend on the request. Copilot counts requests of a person, but not an agent's own steps. */
export const requestHeaders = ({ messages }: TurnRequest): HeaderFields => ({
  "x-initiator": isFromPerson(messages.at(-1)) ? "user" : "agent",
  ...(messages.some(hasImage) && { "copilot-vision-request": "true" }),
});

const isFromPerson = (message: Message | undefined): boolean =>
  message?.role === "user" && message.by !== "loop";

function hasImage(message: Message): boolean {
  if (message.role === "assistant") return false;
  if (message.role === "user")
    return typeof message.content !== "string" && message.content.some(isImage);
  return message.content.some(
    ({ content }) => typeof content !== "string" && content.some(isImage),
  );
}
const isImage = ({ type }: { readonly type: string }): boolean => type === "image";

/** The SDKs read others from the environment, for their own vendors. Those are dropped. */
const allowedHeaders: ReadonlySet<string> = new Set([
  "accept",
  "content-type",
  "user-agent",
  "anthropic-version",
  "anthropic-beta",
]);

/** A `fetch` for one request that sends these headers, and of the SDK's only the allowed ones. */
export const withHeaders =
  (fetch: typeof globalThis.fetch, headers: HeaderFields): typeof globalThis.fetch =>
  (input, init) => {
    const allowed = [...new Headers(init?.headers)].filter(([name]) => allowedHeaders.has(name));
    return fetch(input, { ...init, headers: { ...Object.fromEntries(allowed), ...headers } });
  };

/** Copilot's models refuse a conversation that ends with an assistant message. */
export function endedByUser(request: TurnRequest): TurnRequest {
  if (request.messages.at(-1)?.role !== "assistant") return request;
  return {
    ...request,
    messages: [
      ...request.messages,
      { role: "user", content: "(No new message. Please go on.)", by: "loop" },
    ],
  };
}
