import type { LanguageModelV4Content, LanguageModelV4FinishReason } from "@ai-sdk/provider";
import type { Turn } from "@fullstop/core";
import { withheldNote } from "@fullstop/core/adapter";
import type { Part } from "./parts.ts";
import { endings } from "./stops.ts";

export function createCallFinder(): (part: Part) => boolean {
  const running = new Set<string>();
  return (part) => {
    switch (part.type) {
      case "tool-input-start":
        if (part.providerExecuted) running.add(part.id);
        return part.providerExecuted !== true;
      case "tool-input-delta":
      case "tool-input-end":
        return !running.has(part.id);
      case "tool-approval-request":
        return true;
      default:
        return part.type === "tool-call" && part.providerExecuted !== true;
    }
  };
}

export const hasCalls = (content: readonly LanguageModelV4Content[]): boolean =>
  content.some(createCallFinder());

export interface Edited<Held> {
  readonly parts: readonly Held[];
  readonly note?: string;
  readonly finishReason: LanguageModelV4FinishReason;
}

export function edit<Held extends Part>(
  turn: Turn,
  held: readonly Held[],
  { unified, raw }: LanguageModelV4FinishReason,
): Edited<Held> {
  const runs = unified === "stop" || unified === "tool-calls";
  if (turn.stopReason === "tool-use") {
    const finishReason = { unified: runs ? unified : "tool-calls", raw } as const;
    return { parts: withOwnIds(eachOnce(held)), finishReason };
  }
  const note = withheldNote(turn);
  const ending = runs || unified === "other" ? endings[turn.stopReason] : unified;
  return {
    parts: withoutCalls(held),
    note: turn.text === "" ? note : `\n\n${note}`,
    finishReason: { unified: ending, raw },
  };
}

/** The gate counts a call that comes twice once. */
function eachOnce<Held extends Part>(held: readonly Held[]): readonly Held[] {
  const seen = new Set<string>();
  return held.filter((part) => {
    if (part.type !== "tool-call") return true;
    const call = JSON.stringify([part.toolCallId, part.toolName, part.input]);
    return !seen.has(call) && seen.add(call);
  });
}

/**
 * Providers refuse a request with two calls of one id. The second call gets another one, and the
 * previews of its input are left out.
 */
function withOwnIds<Held extends Part>(held: readonly Held[]): readonly Held[] {
  const taken = new Set<string>();
  return held.flatMap((part) => {
    if (part.type.startsWith("tool-input-") && "id" in part)
      return taken.has(String(part.id)) ? [] : [part];
    if (part.type !== "tool-call" || part.providerExecuted) return [part];
    if (!taken.has(part.toolCallId)) {
      taken.add(part.toolCallId);
      return [part];
    }
    return [{ ...part, toolCallId: newCallId() }];
  });
}

const newCallId = (): string => `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;

/**
 * OpenAI refuses reasoning whose call is missing, and Claude refuses reasoning behind a call that is
 * gone, in each later request. Such reasoning loses the data that would be sent back.
 * https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks
 */
function withoutCalls<Held extends Part>(held: readonly Held[]): readonly Held[] {
  const isCall = createCallFinder();
  const asked = new Set(
    held.map((part) => part.type === "tool-approval-request" && part.toolCallId),
  );
  const kept: Held[] = [];
  let isBehindCall = false;
  for (const part of held) {
    if (!isCall(part) && !(part.type === "tool-call" && asked.has(part.toolCallId))) {
      kept.push(isBehindCall && isBound(part) ? withoutData(part) : part);
      continue;
    }
    isBehindCall = true;
    for (let at = kept.length - 1; at >= 0 && isReasoning(kept[at]); at--)
      kept[at] = withoutData(kept[at] as Held);
  }
  return kept;
}

const withoutData = <Held extends Part>(part: Held): Held => ({ ...part, providerMetadata: {} });

/** The data of reasoning that covers what stands before it: Anthropic, Bedrock, OpenRouter. */
const boundData = ["signature", "redactedData", "reasoning_details"];
const isBound = (part: Part): boolean =>
  part.type.startsWith("reasoning") &&
  "providerMetadata" in part &&
  Object.values(part.providerMetadata ?? {}).some((data) => boundData.some((name) => name in data));

const isReasoning = (part: Part | undefined): boolean =>
  part?.type === "reasoning" || part?.type === "reasoning-end";
