import { ProviderError } from "../contract/error.ts";

const excerpt = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);

export const unreadableReply = (what: string, text: string): ProviderError =>
  new ProviderError(`The server answered with ${what}: ${excerpt(text.trim())}`, {
    kind: "malformed-reply",
  });
export const unreadableFrame = (text: string, cause?: unknown): ProviderError =>
  new ProviderError(`The reply holds a frame that cannot be read: ${excerpt(text)}`, {
    kind: "malformed-reply",
    cause,
  });
export const replyTooLarge = (limit: number, unit = "characters"): ProviderError =>
  new ProviderError(`One event of the reply is larger than ${limit} ${unit}; reading stopped.`, {
    kind: "too-large",
  });
export const emptyReply = (): ProviderError =>
  new ProviderError("The reply's body is empty.", { kind: "cut" });
export const cutEvent = (text: string, cause?: unknown): ProviderError =>
  new ProviderError(`The reply ends in the middle of an event: ${excerpt(text)}`, {
    kind: "cut",
    cause,
  });
export const cutBody = (text: string, cause?: unknown): ProviderError =>
  new ProviderError(`The reply's body is incomplete JSON: ${excerpt(text)}`, {
    kind: "cut",
    cause,
  });
