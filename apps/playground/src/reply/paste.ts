import { explain } from "@fullstop/core";
import { tryParse } from "./frames.ts";
import { type ProtocolName, protocolNames } from "./protocols.ts";
import { readReply } from "./read-reply.ts";

const asEvent = (json: string): string => `data: ${json}\n\n`;

/**
 * Makes a reply of what a person copies: `curl -i`, a log whose lines are indented or lack the blank
 * lines between events, a list of events as one JSON array.
 */
export function replyFrom(pasted: string): string {
  const text = pasted
    .replaceAll("\r\n", "\n")
    .replace(/^\s*HTTP\/[\d.]+ \d+[\s\S]*?\n\n/, "")
    .trim();
  const list = tryParse(text);
  if (Array.isArray(list)) return list.map((one) => asEvent(JSON.stringify(one))).join("");
  if (text.startsWith("{")) return text;
  if (!/^[ \t]*data:/m.test(text)) return text;
  const lines = text
    .split("\n")
    .map((line) => line.replace(/^[ \t]+(?=(?:data|event|id|retry):)/, ""));
  const hasGaps = lines.some((line, index) => line === "" && lines[index - 1]?.startsWith("data:"));
  if (hasGaps) return `${lines.join("\n")}\n\n`;
  const filled = lines.filter((line) => line !== "");
  return filled.map((line) => (line.startsWith("data:") ? `${line}\n\n` : `${line}\n`)).join("");
}

/**
 * The protocol of a text: the one whose reader reads the most of it. Undefined: no reader knows any
 * part.
 */
export async function recognize(text: string): Promise<ProtocolName | undefined> {
  const bytes = new TextEncoder().encode(text);
  let best: { readonly protocol: ProtocolName; readonly score: number } | undefined;
  for (const protocol of protocolNames) {
    const { turn, previews } = await readReply({ protocol, bytes, request: {} });
    const isRead = turn.native !== undefined ? 1000 : 0;
    const score = previews.length + isRead + (turn.usage.output > 0 ? 1 : 0);
    if (score > (best?.score ?? 0)) best = { protocol, score };
  }
  return best?.protocol;
}

/** Why a text is not a reply, in a sentence. */
export async function whyNotReply(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const { turn } = await readReply({ protocol: "openai-chat", bytes, request: {} });
  return explain(turn).person;
}
