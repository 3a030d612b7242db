import { frozenCopy, type Message, type UserMessage, validateHistory } from "@fullstop/core";
import { checkMessages, describeInvalidBlocks } from "@fullstop/core/adapter";

/**
 * The messages and the prompt, as frozen copies: they cannot change during the run, so each is
 * checked only once. Throws if they are not valid.
 */
export function parseConversation(
  messages: readonly Message[],
  prompt: UserMessage["content"] | undefined,
): readonly Message[] {
  checkMessages(messages, "messages");
  const flaw = Array.isArray(prompt) ? describeInvalidBlocks(prompt) : undefined;
  if (flaw !== undefined) throw new TypeError(`Invalid \`prompt\`: it contains ${flaw}.`);
  if (prompt?.length === 0) throw new TypeError("`prompt` is empty.");
  const all: readonly Message[] =
    prompt === undefined ? messages : [...messages, { role: "user", content: prompt }];
  if (all.length === 0) throw new TypeError("Nothing to answer: give a `prompt` or `messages`.");
  assertHistory(all);
  return all.map(frozenCopy);
}

function assertHistory(messages: readonly Message[]): void {
  const [flaw] = validateHistory(messages);
  if (flaw === undefined) return;
  const call = flaw.id === undefined ? "" : ` (call ${flaw.id})`;
  throw new TypeError(
    `Invalid \`messages\`: message ${flaw.at}${call}: ${flaw.rule}. \`repairHistory(messages)\` of @fullstop/core repairs them.`,
  );
}
