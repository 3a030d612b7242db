import type { AssistantBlock, AssistantMessage } from "../contract/message.ts";
import type { LeakedCall, Turn } from "../contract/turn.ts";

/**
 * The text and the message of a turn without the call that the model wrote as text
 * (`turn.leakedCall`). A model that reads such a call in the conversation writes the next one in the
 * same way (anthropics/claude-code#61221). The message is undefined if no text is left.
 */
export function withoutLeakedCall({
  text,
  message,
  leakedCall: leak,
}: Pick<Turn, "text" | "message" | "leakedCall">): {
  readonly text: string;
  readonly message: AssistantMessage | undefined;
} {
  if (leak === undefined) return { text, message };
  const content = contentBefore(message?.content ?? [], leak);
  const hasText = content.some(({ type }) => type === "text");
  return {
    text: leak.in === "text" ? text.slice(0, leak.at) : text,
    message: message && hasText ? { ...message, content } : undefined,
  };
}

function contentBefore(
  content: readonly AssistantBlock[],
  { in: place, at }: LeakedCall,
): readonly AssistantBlock[] {
  if (place === "thinking") return content.filter(({ type }) => type !== "thinking");
  const kept: AssistantBlock[] = [];
  let left = at;
  for (const block of content) {
    if (left <= 0) break;
    const isCut = block.type === "text" && block.text.length > left;
    kept.push(isCut ? { type: "text", text: block.text.slice(0, left) } : block);
    if (block.type === "text") left -= block.text.length;
  }
  while (kept.at(-1)?.type === "thinking") kept.pop();
  return kept;
}
