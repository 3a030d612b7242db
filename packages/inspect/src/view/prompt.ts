import type { TurnRequest } from "@fullstop/core";
import type { PromptPart, PromptView } from "./view.ts";

/** Compares a request with the one before it. Messages that stay are the same objects. */
export function comparePrompts(request: TurnRequest, before: TurnRequest | undefined): PromptView {
  if (before === undefined) return { request, sameMessages: 0, changed: [] };
  const sameMessages = countSame(request.messages, before.messages);
  const isChanged: Readonly<Record<PromptPart, boolean>> = {
    system: request.system !== before.system,
    tools: !areSame(request.tools ?? [], before.tools ?? []),
    messages: sameMessages < before.messages.length,
    toolChoice: JSON.stringify(request.toolChoice) !== JSON.stringify(before.toolChoice),
    output: JSON.stringify(request.output) !== JSON.stringify(before.output),
  };
  const parts = Object.keys(isChanged) as PromptPart[];
  return { request, sameMessages, changed: parts.filter((part) => isChanged[part]) };
}

function countSame(list: readonly unknown[], before: readonly unknown[]): number {
  const length = Math.min(list.length, before.length);
  for (let at = 0; at < length; at++) if (list[at] !== before[at]) return at;
  return length;
}

const areSame = (list: readonly unknown[], before: readonly unknown[]): boolean =>
  list.length === before.length && countSame(list, before) === list.length;
