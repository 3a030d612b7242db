import type { Message } from "@fullstop/core";

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null;

/** What keeps a value from being a list of messages, in words that follow a colon: JSON and other libraries do not keep to our types. */
export function strangeIn(messages: unknown): string | undefined {
  if (!Array.isArray(messages)) return "it is no list";
  const strange = messages.map(strangeOf);
  const at = strange.findIndex((words) => words !== undefined);
  return at < 0 ? undefined : `message ${at} ${strange[at]}`;
}

const mayBeText: Readonly<Record<Message["role"], boolean>> = { user: true, assistant: false, tool: false };
const isRole = (role: unknown): role is Message["role"] => typeof role === "string" && Object.hasOwn(mayBeText, role);
const isBlock = (block: unknown): boolean => isObject(block) && typeof block["type"] === "string";

function strangeOf(message: unknown): string | undefined {
  if (!isObject(message)) return "is no object";
  const { role, content } = message;
  if (role === "system") return 'has the role "system": such words go into the option `system`';
  if (!isRole(role)) return `has the role ${JSON.stringify(role)}, which is none of ${Object.keys(mayBeText).join(", ")}`;
  if (mayBeText[role] && typeof content === "string") return undefined;
  return Array.isArray(content) && content.every(isBlock) ? undefined : `of role "${role}" has a content that is no list of blocks`;
}
