import type { Message, TurnRequest } from "@fullstop/core";

type Fields = Readonly<Record<string, string>>;

/** What Copilot asks of every client; without `copilot-integration-id` it refuses a request (docker-agent#2475). */
export const clientHeaders: Fields = {
  "copilot-integration-id": "vscode-chat",
  "editor-version": "fullstop/1.0",
  "editor-plugin-version": "fullstop/1.0",
  "openai-intent": "conversation-agent",
};

/** What it wants to know of this request: a person's is counted, those of an agent's own steps are not. */
export const requestHeaders = ({ messages }: TurnRequest): Fields => ({
  "x-initiator": isPersons(messages.at(-1)) ? "user" : "agent",
  ...(messages.some(hasImage) && { "copilot-vision-request": "true" }),
});

const isPersons = (message: Message | undefined): boolean =>
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

/** The SDKs' own headers that go along; their others, and those they read from the environment for their vendors, stay at home. */
const kept: ReadonlySet<string> = new Set([
  "accept",
  "content-type",
  "user-agent",
  "anthropic-version",
  "anthropic-beta",
]);

/** A `fetch` for one request, which says to Copilot what it wants to hear, and nothing else. */
export const speaking =
  (fetch: typeof globalThis.fetch, headers: Fields): typeof globalThis.fetch =>
  (input, init) => {
    const own = [...new Headers(init?.headers)].filter(([name]) => kept.has(name));
    return fetch(input, { ...init, headers: { ...Object.fromEntries(own), ...headers } });
  };

/** Its models refuse an answer that is begun for them. */
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
