import type { Opening } from "../wire.ts";
import { contentText, type Fields } from "./shared.ts";

const isInstruction = ({ role }: Fields): boolean => role === "system" || role === "developer";

/**
 * What a conversation begins with, if its instructions are messages.
 * @param system Instructions outside of the messages.
 */
export function readOpening(messages: readonly Fields[], system = ""): Opening {
  const first = messages.find(({ role }) => role === "user");
  const before = messages.slice(0, first === undefined ? undefined : messages.indexOf(first));
  const instructions = before.filter(isInstruction).map(({ content }) => contentText(content));
  return {
    system: [system, ...instructions].join("\n").trim(),
    firstMessage: contentText(first?.["content"]),
  };
}
